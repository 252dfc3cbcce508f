// A watch on the event feed as a body of server-sent events.
#pragma once

#include <memory>
#include <optional>

#include "api/feed.h"
#include "api/http/message.h"
#include "control/serve/backend_switch.h"

namespace ym::api {

struct Watch {
  std::uint64_t after = 0;   // the last event that the client has
  std::optional<JobId> job;  // only events of this job
  Duration heartbeat = seconds(15);
};

// Sends the stored events after the cursor, then new ones, in order of seq, each exactly once. Ends if the next event
// is not kept any more; the client connects again and gets the reason.
std::unique_ptr<BodyStream> watch_events(BackendSwitch& backends, Feed& feed, Caller caller, Watch watch);

}  // namespace ym::api
