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
  bool permanent = false;    // trying again cannot heal it
  bool of_executor = false;  // the executor could not even try: no failure of the job's
};

// Precondition: every task has ended. One task speaks for the gang: one that was lost,
// else one that could not start, else the first that failed, in the order in which the
// ends were recorded. A stop that somebody asked for outranks what the tasks made of it.
AttemptOutcome outcome_of(const Attempt& attempt);

bool failed(const TaskExit& exit);

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
