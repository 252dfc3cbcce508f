// AccessCache: the rules of the present rows, and the rights of callers under them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "control/access/access.h"
#include "control/caller.h"

namespace ym {

class DenialBook;
class EventPayload;
struct Tables;

// Whether an event of this kind changes a row that AccessRules is made of.
bool changes_rules(const EventPayload& payload);

// Not thread-safe.
class AccessCache {
 public:
  explicit AccessCache(AccessMode mode = AccessMode::everything) : mode_(mode) {}

  AccessMode mode() const { return mode_; }
  // `denials` must outlive it. It is used in AccessMode::trial only.
  void set_mode(AccessMode mode, DenialBook* denials = nullptr);
  // Call it when a row has changed that the rules are made of.
  void forget();

  // What the caller may do now, by these tables. A token that was revoked or has expired, and a principal that is
  // disabled, may do nothing.
  Access access_of(const Caller& caller, const Tables& tables, Instant now);
  const AccessRules& rules(const Tables& tables, Instant now);

 private:
  struct Known {
    std::shared_ptr<const Rights> rights;
    std::shared_ptr<const Trial> trial;
  };
  const Known& known(const std::string& principal);

  AccessMode mode_;
  DenialBook* denials_ = nullptr;
  std::shared_ptr<const AccessRules> rules_;
  std::map<std::string, Known, std::less<>> known_;  // by principal
};

// Whether the caller's token is still valid, and its principal not disabled. Errors: `unauthenticated`, and why.
Result<void> check_caller(const Caller& caller, const Tables& tables, Instant now);

}  // namespace ym
