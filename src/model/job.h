// Job and Attempt: the present state, as rows of the store's tables.
//
// Rows are changed only by folding events (model/tables.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/rare.h"
#include "base/time.h"
#include "model/ids.h"
#include "model/job_spec.h"
#include "model/progress.h"
#include "model/states.h"

namespace ym {

// Retries used so far, each kind against its own limit of the spec.
struct RetryCounts {
  std::int32_t infra = 0;
  std::int32_t error = 0;
  std::int32_t preempted = 0;
  std::int32_t launch = 0;  // in a row, until one starts
  bool operator==(const RetryCounts&) const = default;
};

// Where one task runs. `devices` are ids of the node's inventory.
struct TaskPlacement {
  std::int32_t task = 0;
  std::string node;
  std::vector<std::string> devices;
  bool operator==(const TaskPlacement&) const = default;
};

// A place that is kept for a job: others were stopped to make it free, or the job itself, to go on there at another
// size. Its devices count as taken for everybody else, and its quota is charged to the job's queue.
struct Hold {
  std::string cluster;
  std::string flavor;
  std::vector<TaskPlacement> placement;  // by task
  std::vector<JobId> victims;            // who made room, by id
  Instant expires_at;                    // from then on it is nobody's
  bool operator==(const Hold&) const = default;
};

// How many of its newest checkpoints and preemptions a job remembers.
inline constexpr std::size_t kKeptCheckpoints = 3;
inline constexpr std::size_t kKeptPreemptions = 16;

// How long it will run, from how long jobs like it did where they ended by themselves: half of them no longer than the
// middle one, and four of five such jobs are meant to end between the others, which lie farther apart the less is
// known. A guess, as of when it was queued or the array it is of had run so far: no promise rests on it.
struct PredictedRunTime {
  Duration p10, p50, p90;
  std::int32_t samples = 0;   // how many of them there were
  bool of_same_user = false;  // else anybody's that asked for as much, or all
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
  std::string message;                // about the present state, for people
  bool cancel_requested = false;
  Instant submitted_at;
  Instant waits_since;                // submitted, released or requeued last; the end of its backoff. After a
                                      // preemption it is as long ago as the job had waited before it ran
  Instant arrived_at;                 // the same, but a preemption does not change it
  std::optional<Instant> started_at;  // user code of the first attempt
  std::optional<Instant> ended_at;
  std::optional<Instant> not_before;  // backoff: not considered earlier
  std::int32_t attempts = 0;          // made so far
  RetryCounts retries;
  Rare<Hold> hold;                      // while queued, or stopped to go on there
  std::vector<Checkpoint> checkpoints;  // that are durable; last told first, at most kKeptCheckpoints
  std::vector<Instant> preempted_at;    // newest first, at most kKeptPreemptions
  std::int64_t attained_gpu_ms = 0;     // GPU time of all attempts that have ended, from their start on
  Rare<PredictedRunTime> predicted;
  bool operator==(const Job&) const;  // compares the specs' contents
};

// What a launcher says of the worker below a task that failed first.
struct WorkerFailure {
  std::optional<std::int32_t> rank;  // among the workers of all tasks
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;  // e.g. "RuntimeError: no such dataset"; empty: not said
  Instant at;           // by its machine's clock, in whole seconds
  bool operator==(const WorkerFailure&) const = default;
};

// How one task ended, as its supervisor recorded it.
struct TaskExit {
  EndedBy by = EndedBy::exit;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;     // e.g. "execve /no/such: No such file or directory"
  bool permanent = false;  // start_failed only: trying again cannot heal it
  bool forced = false;     // our deadline passed and it was killed
  Instant at;
  std::optional<WorkerFailure> worker{};  // where its launcher names one
  bool operator==(const TaskExit&) const = default;
};

// Who may start user code of a task off this machine: of all that were started for it, the one
// that the start gate was opened for.
struct TaskClaim {
  std::string nonce;
  std::string address;    // where the other tasks reach it
  std::int32_t port = 0;  // free there when it claimed, for a launcher to meet at; 0: none was asked for
  std::string node;       // as its cluster names it
  bool operator==(const TaskClaim&) const = default;
};

struct TaskStatus {
  TaskState state = TaskState::waiting;
  std::optional<TaskExit> exit;
  std::uint64_t ended_seq = 0;       // of the event that ended it; 0 before
  std::optional<TaskClaim> claim{};  // once the gate was opened; never on this machine
  bool operator==(const TaskStatus&) const = default;
};

// The member of a gang that failed first and by itself; the others were stopped because of it.
struct Culprit {
  std::int32_t task = 0;
  std::optional<std::int32_t> rank;  // of its worker, where its launcher names one
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
  // Of a GPU for an hour, by part of `flavor` (model/flavor_mix.h), as it was when it was admitted. Empty: it was
  // admitted by a server that did not store it, and has not ended.
  std::vector<std::int64_t> prices_micros{};
  std::vector<TaskPlacement> placement;  // by task; size is the gang's
  std::vector<TaskStatus> tasks;         // by task; same size
  Instant admitted_at;
  std::optional<Instant> started_at;  // user code ran in every task
  std::optional<Instant> ended_at;
  std::optional<StopCause> stop_cause;  // first one wins
  std::optional<Instant> stop_by;       // when its grace is over and it is killed
  std::optional<PreemptionCause> preemption{};
  std::optional<JobId> yields_to;  // preempted for this job
  // Preempted: what the stop was to lose, as estimated when it was decided.
  std::int64_t estimated_lost_gpu_ms = 0;
  // What is to be done again because it ended (model/loss.h). Nothing: it has not ended, or the job ended with it and
  // was not to make room, or it ended under a server that did not reckon this yet.
  std::optional<std::int64_t> lost_gpu_ms;
  std::optional<Checkpoint> resumes_from;
  std::optional<Progress> progress;
  std::optional<EndedBy> ended_by;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  std::optional<Culprit> culprit{};  // of one that failed, where a member of it did
  bool adopted = false;              // found where it runs after the state was set back; see executor/lost_launch.h
  bool operator==(const Attempt&) const = default;

  AttemptKey key() const { return {job, number}; }
  // As the next one, of a job that has made so many. Before one that was adopted there may have been others.
  bool follows(std::int32_t made) const { return adopted ? number > made : number == made + 1; }
  // The GPU time that it has had by then; a task without GPUs counts as one. 0 if it has not started.
  std::int64_t gpu_ms_until(Instant then, const JobSpec& spec) const;
  Token token() const { return {job, number, epoch}; }
};

}  // namespace ym
