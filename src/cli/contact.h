// Contact: calls to a server that may be restarted in between.
//
// Losing the server is not losing the job: a verb that waits says once that contact is
// lost, keeps trying, and gives up only after a long time.
#pragma once

#include <optional>

#include "cli/session.h"

namespace ym::cli {

class Contact {
 public:
  struct Patience {
    Duration first = seconds(5);      // until the server answers for the first time
    Duration later = minutes(10);     // without an answer, once it had answered
    std::optional<Instant> deadline;  // whatever comes first
  };

  Contact(Session& session, Patience patience) : session_(session), patience_(patience) {}

  // Calls with a connection until there is an answer, be it a refusal. Errors:
  // `unavailable` when patience is at its end or Ctrl-C was pressed.
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

  // The server is there: also called from within a stream, which may then break.
  void heard();

  Session& session() { return session_; }

 private:
  static bool lost(const Error& error) {
    return error.code == ErrorCode::unavailable || error.code == ErrorCode::rate_limited;
  }
  Result<Api*> connected();
  bool wait(const Error& error);

  Session& session_;
  Patience patience_;
  std::optional<Api> api_;
  std::optional<Instant> lost_since_;
  Duration pause_;
  bool answered_once_ = false;
  bool told_ = false;
};

}  // namespace ym::cli
