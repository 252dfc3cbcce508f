// Revalidation: asks providers again and again whether users that logged in still are there, by their refresh tokens.
//
// It is in memory: after a restart, logins from before go on until they end.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/secret.h"
#include "base/time.h"
#include "oidc/issuer.h"

namespace ym::login {

// A user of an issuer.
struct Subject {
  std::string issuer, subject;
  bool operator==(const Subject&) const = default;
};

struct Renewable {
  std::shared_ptr<oidc::Issuer> issuer;
  std::string subject;
  Secret refresh_token;
  Duration every{};  // from one question to the next
  Instant until;     // the login ends then
  int refused = 0;   // how often the provider's refusal was told
};

// Thread-safe.
class Revalidation {
 public:
  static constexpr std::size_t kMost = 100'000;

  // Of each user the last login is kept. Beyond kMost users it does nothing.
  void keep(Renewable login, Instant now);

  // Whether ask() has something to ask.
  bool is_due(Instant now);

  // Asks about the users that are due, one after the other, and calls `gone` with each that the provider refuses. It is
  // told some times, a minute apart: what follows from it may fail. A provider that does not answer is asked again
  // later, and its users stay. Blocks. While another call asks, it returns at once.
  void ask(Instant now, const std::function<void(const Subject&)>& gone);

 private:
  struct Kept {
    Renewable login;
    Instant due;
  };
  // Keeps it for a later question, unless the user has logged in again meanwhile.
  void put_back(Renewable login, Instant due);
  void postpone(const std::string& issuer, Instant to);
  // Removes it from the list, so that a login which comes meanwhile is not overwritten.
  std::optional<Renewable> take_due(Instant now);

  std::mutex mutex_;
  bool asking_ = false;
  std::vector<Kept> kept_;
};

}  // namespace ym::login
