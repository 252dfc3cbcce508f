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
  std::optional<JobId> job;  // only those of this job
  Duration heartbeat = seconds(15);
};

// First what the store has after the cursor, then what comes, in order of seq, each
// exactly once. Ends when an event that is still needed is no longer kept; the client
// connects again and learns why.
std::unique_ptr<BodyStream> watch_events(BackendSwitch& backends, Feed& feed, Caller caller, Watch watch);

}  // namespace ym::api
