// What one task of one attempt wrote, as a body that is read while it is sent.
#pragma once

#include <memory>
#include <optional>

#include "api/http/message.h"
#include "control/service.h"

namespace ym::api {

struct LogRequest {
  JobId job;
  std::optional<std::int32_t> attempt;  // nothing: wait for the first one
  std::int32_t task = 0;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> last_lines;  // instead of offset
  bool follow = false;                      // until the task has ended
};

struct OpenLog {
  std::unique_ptr<BodyStream> body;
  std::optional<std::uint64_t> offset;  // where the body begins, if there is a log already
};

// Errors: `not_found` if there is no log and none is waited for; as Service::log.
// Precondition: an attempt that is named exists; without one, `follow`.
Result<OpenLog> open_log(Service& service, const LogRequest& request);

}  // namespace ym::api
