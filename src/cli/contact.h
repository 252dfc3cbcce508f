// Contact: calls to a server that may restart in between.
//
// Jobs go on without the server. So a verb that waits reports the lost contact once, tries again, and gives up only
// after `Timeouts`.
#pragma once

#include <optional>

#include "cli/session.h"

namespace ym::cli {

class Contact {
 public:
  struct Timeouts {
    Duration first = seconds(5);      // time until the first answer
    Duration later = minutes(10);     // time without an answer after the first one
    std::optional<Instant> deadline;  // ends each wait earlier
  };

  Contact(Session& session, Timeouts timeouts) : session_(session), timeouts_(timeouts) {}

  // Calls `f` with a connection until the server answers. A refusal is an answer. Errors: `unavailable` after a timeout
  // or after Ctrl-C.
  template <class F>
  auto call(const F& f) -> decltype(f(std::declval<Api&>())) {
    while (true) {
      if (auto api = connected()) {
        auto result = f(**api);
        if (result || !lost(result.error())) return heard(), result;
        if (!wait(result.error())) return result;
      } else if (!lost(api.error()) || !wait(api.error())) {
        return std::unexpected(api.error());
      }
    }
  }

  // Notes that the server answered. Also called within a stream, which may break later.
  void heard();

  Session& session() { return session_; }

 private:
  static bool lost(const Error& error) {
    return error.code == ErrorCode::unavailable || error.code == ErrorCode::rate_limited;
  }
  Result<Api*> connected();
  bool wait(const Error& error);

  Session& session_;
  Timeouts timeouts_;
  std::optional<Api> api_;
  std::optional<Instant> lost_since_;
  Duration pause_;
  bool answered_once_ = false;
  bool told_ = false;
};

}  // namespace ym::cli
