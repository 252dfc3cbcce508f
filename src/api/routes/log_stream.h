// The output of one task of an attempt, as a body that is read while it is sent.
//
// Connection threads do not read: the server reads, and wakes the connection.
#pragma once

#include <memory>
#include <optional>

#include "api/http/message.h"
#include "control/serve/backend_switch.h"

namespace ym::api {

class UserGuard;

struct LogRequest {
  JobId job;
  std::optional<std::int32_t> attempt;  // nothing: wait for the first one
  std::int32_t task = 0;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> last_lines;  // instead of offset
  bool follow = false;                      // until the task has ended
};

// How long the first piece may take until the answer is an error.
inline constexpr Duration kLogTimeout = seconds(30);

// A poll with one of these answers: the log as a stream, with `Log-Offset` if there is a log already; or a problem:
// `not_found` if there is no log and the request does not wait for one, `unavailable` if reading takes longer than
// `timeout`, else the errors of Tasks::read_log. Precondition: the attempt exists if one is named; otherwise `follow`
// is set. A caller beyond its limit of log bytes gets them later.
std::unique_ptr<LongPoll> open_log(BackendSwitch& backends, UserGuard& users, const Caller& caller,
                                   const LogRequest& request, Duration timeout = kLogTimeout);

}  // namespace ym::api
