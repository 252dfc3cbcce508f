// AccessBook: who sends a request, and what the caller may do; for readers.
//
// Thread-safe. The thread that commits tells it of each commit.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "control/access/access_cache.h"
#include "control/access/denial_book.h"
#include "model/tables.h"

namespace ym {

// The message before the state is read for the first time.
inline constexpr std::string_view kStateNotRead = "this server stands by, and the state could not be read yet";

class AccessBook {
 public:
  // Takes all rows of the tables, and the rows that `more` sets.
  void reset(const Tables& tables, AccessMode mode, const std::vector<EventPayload>& more = {});
  // Follows the events of a commit.
  void follow(const std::vector<Event>& events);
  void set_mode(AccessMode mode);

  // The caller with this token. Errors: `unauthenticated`: the token is unknown or has expired, was not used for its
  // idle_limit, or its principal is disabled; `unavailable` before the first reset.
  //
  // Uses count that were asked for here, and stored ones, which are an hour old or less (take_used). So after a restart
  // a token may end up to an hour earlier than its limit says.
  Result<Caller> authenticate(const Secret& token, Instant now) const;
  // The caller that proved by a certificate that it is this service account. Errors: as authenticate; there is no
  // service account with this handle; bindings do not decide.
  Result<Caller> authenticate_service(std::string_view handle, Instant now) const;
  // The caller of a request on behalf of the user with this handle. Errors: as the function of this name (on_behalf.h).
  Result<Caller> on_behalf(const Caller& gateway, std::string_view handle, Instant now) const;
  Access access_of(const Caller& caller, Instant now) const;
  // What bindings would have refused since the start (AccessMode::trial).
  DenialBook& denials() { return denials_; }
  const DenialBook& denials() const { return denials_; }
  AccessMode mode() const {
    const std::lock_guard lock(mutex_);
    return cache_.mode();
  }
  // Whether the caller's token is still valid, and its principal not disabled.
  bool is_valid(const Caller& caller, Instant now) const;

  // Copies of the rows, by name.
  template <class Row>
  std::vector<Row> rows() const {
    return rows_if<Row>([](const Row&) { return true; });
  }
  // Of those alone that are wanted. It is asked under the lock, so it must not ask this book.
  template <class Row, class Wanted>
  std::vector<Row> rows_if(const Wanted& wanted) const {
    const std::lock_guard lock(mutex_);
    std::vector<Row> rows;
    for (const auto& [name, row] : rows_of<Row>(tables_))
      if (wanted(row)) rows.push_back(row);
    return rows;
  }
  // All tokens, with their last use up to now.
  std::vector<AccessToken> tokens() const;
  // When tokens were used since the last call that returned any. Nothing more than once an hour.
  std::map<std::string, Instant> take_used(Instant now);

  // The id of the principal with this handle. Nothing: there is none.
  std::optional<std::string> find_handle(std::string_view handle) const;
  // The handle of a principal, or the id itself if there is no such principal.
  std::string handle_of(const std::string& principal) const;
  // Whether this is the id of a service account.
  bool is_service(const std::string& principal) const;

 private:
  struct Follow;
  // With the lock held. The time of the token's last use, or when it was made.
  Instant seen_at(const AccessToken& token) const;

  mutable std::mutex mutex_;
  bool filled_ = false;
  Tables tables_;                                            // only the tables that concern access
  std::map<std::string, std::string, std::less<>> by_hash_;  // ids of tokens
  mutable std::map<std::string, Instant> used_;              // last uses here, by id of a token that is there
  Instant used_kept_at_;                                     // the last call of take_used that could give some
  Instant used_kept_to_;                                     // it gave the uses before this time
  mutable AccessCache cache_;
  DenialBook denials_;
};

}  // namespace ym
