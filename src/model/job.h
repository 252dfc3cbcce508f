// Job and Attempt: the present state, as rows of the store's tables.
//
// Rows are changed only by folding events (model/tables.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/ids.h"
#include "model/job_spec.h"
#include "model/states.h"

namespace ym {

// Retries used so far, each kind against its own limit of the spec.
struct RetryCounts {
  std::int32_t infra = 0;
  std::int32_t error = 0;
  std::int32_t preempted = 0;
  bool operator==(const RetryCounts&) const = default;
};

struct Job {
  JobId id;
  SpecId spec_id;
  std::shared_ptr<const JobSpec> spec;  // never null
  std::optional<GroupId> group;
  std::optional<std::int32_t> group_index;
  std::vector<JobId> depends_on;
  std::string name;  // "train", or "train-3" in an array
  std::string project;
  std::string owner;   // principal whose token submitted it
  std::string run_as;  // operating system user
  std::string queue;
  std::int32_t priority = 50;
  JobState state = JobState::queued;
  std::optional<ReasonCode> pending;  // set exactly while held or queued
  std::string message;                // about the present state, for people
  bool cancel_requested = false;
  Instant submitted_at;
  std::optional<Instant> started_at;  // user code of the first attempt
  std::optional<Instant> ended_at;
  std::optional<Instant> not_before;  // backoff: not considered earlier
  std::int32_t attempts = 0;          // made so far
  RetryCounts retries;
  bool operator==(const Job&) const;  // compares the specs' contents
};

// Where one task runs. `devices` are ids of the node's inventory.
struct TaskPlacement {
  std::int32_t task = 0;
  std::string node;
  std::vector<std::string> devices;
  bool operator==(const TaskPlacement&) const = default;
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
  bool operator==(const TaskExit&) const = default;
};

struct TaskStatus {
  TaskState state = TaskState::waiting;
  std::optional<TaskExit> exit;
  bool operator==(const TaskStatus&) const = default;
};

struct Attempt {
  JobId job;
  std::int32_t number = 0;
  std::uint64_t epoch = 0;
  AttemptState state = AttemptState::intended;
  std::string cluster;
  std::string queue;                     // charged
  std::string flavor;                    // charged
  std::vector<TaskPlacement> placement;  // by task; size is the gang's
  std::vector<TaskStatus> tasks;         // by task; same size
  Instant admitted_at;
  std::optional<Instant> started_at;  // user code ran in every task
  std::optional<Instant> ended_at;
  std::optional<StopCause> stop_cause;  // first one wins
  std::optional<EndedBy> ended_by;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  bool operator==(const Attempt&) const = default;

  AttemptKey key() const { return {job, number}; }
  Token token() const { return {job, number, epoch}; }
};

}  // namespace ym
