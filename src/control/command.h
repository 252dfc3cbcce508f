// Commands: the changes that a caller may request from control, and their replies.
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
#include "base/shared.h"
#include "control/access/access_commands.h"
#include "control/caller.h"
#include "control/history/history_commands.h"
#include "model/job.h"
#include "model/policy_settings.h"
#include "model/queue.h"
#include "model/reservation.h"

namespace ym {

// Submits all jobs or none. With a key, the same request returns the jobs of the first one. Another request under the
// same key is a conflict.
struct SubmitJobs {
  // Valid, as spec/ makes them. A job without a queue goes to its default queue.
  std::vector<JobSpec> specs;
  std::optional<std::string> idempotency_key;
  std::string request_hash;  // of the whole body; used only with a key
  bool dry_run = false;      // only checks: the reply has no jobs, and nothing is stored
};
struct CancelJob {
  JobId job;
};
// Cancels in one commit the jobs that can be cancelled. Each other job is refused on its own (CommandReply::refused).
struct CancelJobs {
  std::vector<JobId> jobs;
};
struct HoldJob {
  JobId job;
};
struct ReleaseJob {
  JobId job;
};
// Applies one act to all members of an array. It skips members that have ended. A hold or a release also skips members
// that do not wait.
struct ChangeGroup {
  enum class Act : std::uint8_t { cancel, hold, release };
  GroupId group;
  Act act = Act::cancel;
};
// Submits a finished job's spec again, as a new job. The retry of an array's member keeps its index in the array. Keys
// as in SubmitJobs.
struct RetryJob {
  JobId job;
  std::optional<std::string> idempotency_key{};
  std::string request_hash{};
};
// Creates or replaces queues. A queue that the configuration file manages is refused.
struct ApplyQueues {
  std::vector<Queue> queues;
  // The place of each queue in the request, for errors: as many as queues, or none.
  std::vector<std::string> pointers{};
  bool dry_run = false;  // only checks, also the queues that the file manages
  // The queues for which the request has `stop`. Other queues keep their hold or drain.
  std::set<std::string> says_stop{};
};
// Sets or ends a hold or a drain of a queue and of the queues below it. Refused like ApplyQueues.
struct SetQueueStop {
  std::string queue;
  StopPolicy stop = StopPolicy::none;
};
// Removes a queue. A queue in use takes no new jobs, and leaves when nothing uses it. Refused: a queue that the
// configuration file manages, a cohort, and "default" while it is the only queue.
struct RemoveQueue {
  std::string queue;
};
// Takes a node out of service, or back into it. Running tasks stay.
struct SetNodeSchedulable {
  std::string node;
  bool schedulable = true;
  std::string message;
};

// Makes an advance reservation of nodes; see reservation_commands.h for what is refused.
struct CreateReservation {
  ReservationRequest request;
};
struct RemoveReservation {
  std::string reservation;
};

// Queues as in ApplyQueues, and settings of the site. These settings override the configuration file. Settings that are
// left out stay unchanged. All or none.
struct ApplyPolicy {
  PolicySettings settings;
  ApplyQueues queues{};
};
// Removes these settings: those of the configuration file are in force again. Queues stay as they are.
struct ResetPolicy {};

// A progress report of user code. With a checkpoint or the completion, the reply comes when the report is durable.
// Otherwise the reply comes at once, and the report is stored with the next such report or a few seconds later. Errors:
// `not_found` (no such attempt), `conflict` (it has ended).
struct ReportProgress {
  AttemptKey attempt;
  ProgressReport report;  // control fills in the checkpoint's attempt
};

using CommandVariant =
    std::variant<SubmitJobs, CancelJob, CancelJobs, HoldJob, ReleaseJob, ChangeGroup, RetryJob, ApplyQueues,
                 SetQueueStop, RemoveQueue, SetNodeSchedulable, CreateReservation, RemoveReservation, ApplyPolicy,
                 ResetPolicy, CreateToken, RevokeToken, RotateAdminToken, LogIn, ExchangeProof, EndLogins, KeepIssuers,
                 NoteTokenUse, ForgetExpired, AddHistorySegment, RemoveHistorySegment, SetRole, RemoveRole, BindRole,
                 UnbindRole, SetProject, RemoveProject, ChangePrincipal, ProvisionUser, RemoveProvisionedUser,
                 ProvisionGroup, RemoveProvisionedGroup, ReportProgress>;

// A class for the same reason as EventPayload (model/event.h).
class Command : public CommandVariant {
 public:
  using CommandVariant::CommandVariant;
  Command();
  Command(const Command& other);
  Command(Command&& other) noexcept;
  Command& operator=(const Command& other);
  Command& operator=(Command&& other) noexcept;
  ~Command();
};

struct Refused {
  JobId job;
  Error error;
};

struct CommandReply {
  std::vector<Shared<Job>> jobs;      // the jobs that the command made or changed, in their new state
  std::vector<std::string> queues{};  // of a dry run, by spec: the queue where its jobs would wait
  // Of a submit, by spec: warnings about a valid spec that cannot do on today's nodes and queues what the user wants.
  // Empty if no spec has one.
  std::vector<std::vector<std::string>> warnings{};
  std::vector<Refused> refused{};     // of a command on several jobs: the jobs to which it does not apply
  std::optional<TokenReply> token{};  // of a command on tokens
  std::optional<Binding> binding{};   // of a command on bindings
  bool replayed = false;              // an earlier request with this key made the jobs
};

// Called exactly once, from the control thread, after the commit (or the refusal).
using Reply = std::move_only_function<void(Result<CommandReply>)>;

}  // namespace ym
