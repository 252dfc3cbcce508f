// Commands: what a caller may ask control to change, and what it answers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "model/job.h"
#include "model/queue.h"

namespace ym {

// Who asks, as authentication found out.
struct Caller {
  std::string principal;
  std::string role;  // "admin"
};

// All or none. With a key, the same request again answers with the first one's jobs,
// and another request under the same key is a conflict.
struct SubmitJobs {
  std::vector<JobSpec> specs;  // valid, as spec/ makes them
  std::optional<std::string> idempotency_key;
  std::string request_hash;  // of the whole body; used only with a key
};
struct CancelJob {
  JobId job;
};
struct HoldJob {
  JobId job;
};
struct ReleaseJob {
  JobId job;
};
// Submits a finished job's spec once more, as a new job.
struct RetryJob {
  JobId job;
};
// Creates or replaces queues; refused for those that the configuration file manages.
struct ApplyQueues {
  std::vector<Queue> queues;
};
// Takes a node out of service (what runs there stays), or back into it.
struct SetNodeSchedulable {
  std::string node;
  bool schedulable = true;
  std::string message;
};

using Command = std::variant<SubmitJobs, CancelJob, HoldJob, ReleaseJob, RetryJob, ApplyQueues, SetNodeSchedulable>;

struct CommandReply {
  std::vector<Job> jobs;  // the jobs it made or changed, as they are now
  bool replayed = false;  // an earlier request with this key had made them
};

// Called exactly once, from the control thread, after the commit (or the refusal).
using Reply = std::move_only_function<void(Result<CommandReply>)>;

}  // namespace ym
