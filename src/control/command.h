// Commands: what a caller may ask control to change, and what it answers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "control/caller.h"
#include "model/job.h"
#include "model/policy_settings.h"
#include "model/queue.h"
#include "model/reservation.h"

namespace ym {

// All or none. With a key, the same request again answers with the first one's jobs,
// and another request under the same key is a conflict.
struct SubmitJobs {
  std::vector<JobSpec> specs;  // valid, as spec/ makes them; those without a queue go to their default one
  std::optional<std::string> idempotency_key;
  std::string request_hash;  // of the whole body; used only with a key
  bool dry_run = false;      // only checked: answered without jobs, nothing is stored
};
struct CancelJob {
  JobId job;
};
// In one commit: those that can be are cancelled, each of the others is refused by itself (CommandReply::refused).
struct CancelJobs {
  std::vector<JobId> jobs;
};
struct HoldJob {
  JobId job;
};
struct ReleaseJob {
  JobId job;
};
// What is asked of all members of an array at once, where it applies: members that have
// ended are left alone, and so are those that do not wait if waiting is what it is about.
struct ChangeGroup {
  enum class Act : std::uint8_t { cancel, hold, release };
  GroupId group;
  Act act = Act::cancel;
};
// Submits a finished job's spec once more, as a new job; that of an array's member keeps
// its place in the array. Keys as in SubmitJobs.
struct RetryJob {
  JobId job;
  std::optional<std::string> idempotency_key{};
  std::string request_hash{};
};
// Creates or replaces queues; refused for those that the configuration file manages.
struct ApplyQueues {
  std::vector<Queue> queues;
  // Where each of them stands in the request, for errors: as many as queues, or none.
  std::vector<std::string> pointers{};
  bool dry_run = false;  // only checked, those that the file manages too
  // The names of those whose `stop` is said; of the others a hold or a drain stays as it is.
  std::set<std::string> says_stop{};
};
// A hold or a drain of a queue and those below it, or its end. Refused as ApplyQueues is.
struct SetQueueStop {
  std::string queue;
  StopPolicy stop = StopPolicy::none;
};
// A queue in use takes no new jobs and leaves when nothing uses it any more. Refused for
// those that the configuration file manages, for cohorts, and for "default" while it is the only one.
struct RemoveQueue {
  std::string queue;
};
// Takes a node out of service (what runs there stays), or back into it.
struct SetNodeSchedulable {
  std::string node;
  bool schedulable = true;
  std::string message;
};

// Sets nodes aside; see reservation_commands.h for what is refused.
struct CreateReservation {
  ReservationRequest request;
};
struct RemoveReservation {
  std::string reservation;
};

// Queues as ApplyQueues has them, and settings of the site: they are above what the configuration file says, and those
// left out stay as they are. All or none.
struct ApplyPolicy {
  PolicySettings settings;
  ApplyQueues queues{};
};
// The site is again as the configuration file says.
struct ResetPolicy {};

// What user code says of itself. Answered once it is durable if it brings a checkpoint or the
// completion, else at once: then it is stored with the next one that is, or a few seconds later.
// Errors: `not_found` (no such attempt), `conflict` (it has ended).
struct ReportProgress {
  AttemptKey attempt;
  ProgressReport report;  // a checkpoint's attempt is filled in
};

using Command = std::variant<SubmitJobs, CancelJob, CancelJobs, HoldJob, ReleaseJob, ChangeGroup, RetryJob, ApplyQueues,
                             SetQueueStop, RemoveQueue, SetNodeSchedulable, CreateReservation, RemoveReservation,
                             ApplyPolicy, ResetPolicy, ReportProgress>;

struct Refused {
  JobId job;
  Error error;
};

struct CommandReply {
  std::vector<Job> jobs;              // the jobs it made or changed, as they are now
  std::vector<std::string> queues{};  // of a dry run: where jobs of each spec would wait
  // Of a submit, by spec: what is valid and will not do what is meant as things are; empty where nothing is.
  std::vector<std::vector<std::string>> warnings{};
  std::vector<Refused> refused{};  // of many: those for which it does not apply
  bool replayed = false;           // an earlier request with this key had made them
};

// Called exactly once, from the control thread, after the commit (or the refusal).
using Reply = std::move_only_function<void(Result<CommandReply>)>;

}  // namespace ym
