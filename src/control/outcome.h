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
  bool permanent = false;  // trying again cannot heal it
};

// Precondition: every task has ended. The task that failed first speaks for the gang
// (ties: lowest task); a stop that somebody asked for outranks what the tasks made of
// it.
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
