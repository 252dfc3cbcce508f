// What one task of one attempt wrote, as a body that is read while it is sent.
//
// Nothing is read on a connection's thread: the server reads, and wakes the connection.
#pragma once

#include <memory>
#include <optional>

#include "api/http/message.h"
#include "control/serve/backend_switch.h"

namespace ym::api {

struct LogRequest {
  JobId job;
  std::optional<std::int32_t> attempt;  // nothing: wait for the first one
  std::int32_t task = 0;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> last_lines;  // instead of offset
  bool follow = false;                      // until the task has ended
};

// How long the first piece may take, before the answer begins and says so.
inline constexpr Duration kLogPatience = seconds(30);

// Becomes the answer: the log as a stream, with `Log-Offset` if there is one already, or a problem: `not_found` if
// there is none and none is waited for; `unavailable` if reading takes longer than `patience`; else as
// Tasks::read_log. Precondition: an attempt that is named exists; without one, `follow`.
std::unique_ptr<LongPoll> open_log(BackendSwitch& backends, const Caller& caller, const LogRequest& request,
                                   Duration patience = kLogPatience);

}  // namespace ym::api
