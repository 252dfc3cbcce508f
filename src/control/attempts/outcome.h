// What an attempt's end means: pure rules, no state.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "model/job.h"

namespace ym {

// How the attempt as a whole ended, from how its tasks did.
struct AttemptOutcome {
  EndedBy by = EndedBy::exit;
  std::optional<std::int32_t> exit_code;
  std::optional<std::int32_t> signal;
  std::string message;
  bool permanent = false;            // trying again cannot heal it
  bool of_executor = false;          // the executor could not even try: no failure of the job's
  std::optional<Culprit> culprit{};  // of a gang, or where a launcher names a worker
};

// Precondition: every task has ended. One task speaks for the gang: one that was lost,
// else one that could not start, else the culprit (culprit.h). A cancel outranks what the
// tasks made of it.
//
// Of an attempt that was to make room: it reported completion and every task ended with
// status 0 (or with the 1 of torchrun's agent that was told), or every task had ended with 0
// before it was told: it has completed. Every task ended as one does that is told to stop:
// preempted. Else one of the others speaks for the gang; but not by an exit code or a signal
// that came after a task that was told gave way: that is what losing a peer looks like.
AttemptOutcome outcome_of(const Attempt& attempt, const JobSpec& spec);

// What becomes of the job.
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
