// The outcome of an attempt, and what follows for its job. Pure rules, no state.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "model/job.h"

namespace ym {

// How the attempt as a whole ended.
struct AttemptOutcome {
  EndedBy by = EndedBy::exit;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  bool permanent = false;            // a retry cannot help
  bool of_executor = false;          // the executor could not even try: not the job's failure
  std::optional<Culprit> culprit{};  // of a gang, or if a launcher names a worker
};

// Precondition: every task has ended. One task decides for the gang: a lost task, else one that could not start, else
// the culprit (culprit.h). A cancel overrides the ends of the tasks.
//
// A preempted attempt has one of three outcomes. Completed: it reported completion and every task ended with status 0
// (or 1 for a torchrun agent that was asked to stop), or every task ended with 0 before the request to stop. Preempted:
// every task ended as a task does after such a request. Otherwise one of the other tasks decides for the gang; but not
// by an exit code or a signal that came after a task stopped on request, because losing a peer looks like that.
AttemptOutcome outcome_of(const Attempt& attempt, const JobSpec& spec);

// The next state of the job.
struct Finish {
  JobState state = JobState::succeeded;
  std::string message;
};
struct Retry {
  RetryCause cause = RetryCause::infra;
  Duration backoff;
  std::string reason;
};
std::variant<Finish, Retry> after_attempt(const Job& job, const AttemptOutcome& outcome);

}  // namespace ym
