// Job and Attempt: the present state, as rows of the store's tables.
//
// Rows change only by folding events (model/tables.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/boxed_optional.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/job_spec.h"
#include "model/progress.h"
#include "model/states.h"

namespace ym {

// Retries so far. Each kind has its own limit in the spec.
struct RetryCounts {
  std::int32_t infra = 0;
  std::int32_t error = 0;
  std::int32_t preempted = 0;
  std::int32_t launch = 0;  // consecutive; a start resets it
  bool operator==(const RetryCounts&) const = default;
};

// Where one task runs. `devices` are ids of the node's inventory.
struct TaskPlacement {
  std::int32_t task = 0;
  std::string node;
  std::vector<std::string> devices;
  bool operator==(const TaskPlacement&) const = default;
};

// A nominated placement: a place that is kept for a job. Other jobs were stopped to free it, or the job itself was, to
// continue there with another size. Other jobs cannot use its devices, and the job's queue is charged its quota.
struct NominatedPlacement {
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task
  std::vector<JobId> preempted_jobs;     // the preempted jobs, by id
  Instant expires_at;                    // end of the nominated placement
  bool operator==(const NominatedPlacement&) const = default;
};

// How many of its newest checkpoints and preemptions a job row has.
inline constexpr std::size_t kKeptCheckpoints = 3;
inline constexpr std::size_t kKeptPreemptions = 16;

// The predicted run time, from the run times of similar jobs that ended by themselves. Half of them ran at most `p50`.
// About four fifths should end between `p10` and `p90`; the range is wider if less is known. It is an estimate from the
// time when the job was queued, or when members of its array ended. No guarantee depends on it.
struct PredictedRunTime {
  Duration p10, p50, p90;
  std::int32_t samples = 0;   // number of similar jobs
  bool of_same_user = false;  // false: jobs of any user with the same request, or all jobs
  bool operator==(const PredictedRunTime&) const = default;
};

struct Job {
  JobId id;
  SpecId spec_id;
  std::shared_ptr<const JobSpec> spec;  // never null
  std::optional<GroupId> group;
  std::optional<std::int32_t> group_index;
  std::string name;  // "train", or "train-3" in an array
  std::string project;
  std::string owner;  // principal whose token submitted it
  std::string queue;
  std::int32_t priority = 50;
  JobState state = JobState::queued;
  std::optional<ReasonCode> pending;  // set exactly while held or queued
  std::string message;                // about the present state, for users
  bool cancel_requested = false;
  Instant submitted_at;
  Instant waits_since;                // last submit, release, requeue or end of a backoff. A preemption
                                      // moves it so that the job's earlier waiting still counts
  Instant arrived_at;                 // the same, but a preemption does not change it
  std::optional<Instant> started_at;  // user code of the first attempt
  std::optional<Instant> ended_at;
  std::optional<Instant> not_before;  // backoff: not considered earlier
  std::int32_t attempts = 0;          // made so far
  RetryCounts retries;
  BoxedOptional<NominatedPlacement> nomination;  // nominated placement: while queued, or stopped to continue there
  std::vector<Checkpoint> checkpoints;           // durable ones, newest report first, at most kKeptCheckpoints
  std::vector<Instant> preempted_at;             // newest first, at most kKeptPreemptions
  std::int64_t attained_gpu_ms = 0;              // GPU time of all ended attempts, each from its start
  BoxedOptional<PredictedRunTime> predicted;
  bool operator==(const Job&) const;  // compares the contents of the specs
};

// What a launcher reports about the worker of a task that failed first.
struct WorkerFailure {
  std::optional<std::int32_t> rank;  // among the workers of all tasks
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;  // e.g. "RuntimeError: no such dataset"; empty: not reported
  Instant at;           // by the clock of its machine, in whole seconds
  bool operator==(const WorkerFailure&) const = default;
};

// How one task ended, as its supervisor recorded it.
struct TaskExit {
  EndedBy by = EndedBy::exit;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;     // e.g. "execve /no/such: No such file or directory"
  bool permanent = false;  // start_failed only: another try would fail, too
  bool forced = false;     // the grace was over and it was killed
  Instant at;
  std::optional<WorkerFailure> worker{};  // if its launcher names one
  bool operator==(const TaskExit&) const = default;
};

// The remote task agent that may start the task's user code. Several agents may have been started for a task. The
// launch barrier was opened for this one.
struct TaskClaim {
  std::string nonce;
  std::string address;    // where the other tasks reach it
  std::int32_t port = 0;  // for the launcher's rendezvous; it was free at the claim; 0: none was requested
  std::string node;       // as the cluster names it
  bool operator==(const TaskClaim&) const = default;
};

struct TaskStatus {
  TaskState state = TaskState::waiting;
  std::optional<TaskExit> exit;
  std::uint64_t ended_seq = 0;       // seq of the event that ended it; 0 before
  std::optional<TaskClaim> claim{};  // once the launch barrier was opened; never on the server's machine
  bool operator==(const TaskStatus&) const = default;
};

// The member of a gang that failed first and by itself. The others were stopped because of it.
struct Culprit {
  std::int32_t task = 0;
  std::optional<std::int32_t> rank;  // of its worker, if its launcher names one
  Certainty sure = Certainty::certain;
  bool operator==(const Culprit&) const = default;
};

struct Attempt {
  JobId job;
  std::int32_t number = 0;
  std::uint64_t epoch = 0;
  AttemptState state = AttemptState::intended;
  std::string cluster;
  std::string queue;   // charged
  std::string flavor;  // charged
  // Price of a GPU-hour at the admission, for each part of `flavor` (model/flavor_mix.h). Empty: an older server
  // admitted the attempt without prices, and it has not ended.
  std::vector<std::int64_t> prices_micros{};
  std::vector<TaskPlacement> placement;  // by task, for the whole gang
  std::vector<TaskStatus> tasks;         // by task; same size
  Instant admitted_at;
  std::optional<Instant> started_at;  // user code ran in every task
  std::optional<Instant> ended_at;
  std::optional<StopCause> stop_cause;  // first one wins
  std::optional<Instant> stop_by;       // when its grace ends and it is killed
  std::optional<PreemptionCause> preemption{};
  std::optional<JobId> yields_to;  // the preempting job
  // If preempted: the lost GPU time that was estimated at the decision.
  std::int64_t estimated_lost_gpu_ms = 0;
  // The lost GPU time (model/loss.h). Nothing: the attempt has not ended; the job ended with it and it was not
  // preempted; or it ended under a server that did not compute this yet.
  std::optional<std::int64_t> lost_gpu_ms;
  std::optional<Checkpoint> resumes_from;
  std::optional<Progress> progress;
  std::optional<EndedBy> ended_by;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  std::optional<Culprit> culprit{};  // if the failure of a member caused the attempt's
  bool adopted = false;              // found at the executor after the state was set back; see executor/lost_launch.h
  bool operator==(const Attempt&) const = default;

  AttemptKey key() const { return {job, number}; }
  // Whether this can be the next attempt of a job with `made` attempts. An adopted one may have skipped numbers.
  bool follows(std::int32_t made) const { return adopted ? number > made : number == made + 1; }
  // GPU time until `then`; a task without GPUs counts as one GPU. 0 if the attempt has not started.
  std::int64_t gpu_ms_until(Instant then, const JobSpec& spec) const;
  Token token() const { return {job, number, epoch}; }
};

}  // namespace ym
