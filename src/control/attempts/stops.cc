#include "control/attempts/stops.h"

#include <algorithm>
#include <utility>

namespace ym {

StopRequest stop_request(const Job& job, const Attempt& attempt, StopCause cause, Instant now) {
  const StopRules& rules = job.spec->stop;
  auto grace = rules.grace;
  // Executors keep the deadline themselves. A task that lives past it never got the stop, so it gets the full grace and
  // may still save.
  if (attempt.stop_by && *attempt.stop_by > now) grace = std::min(grace, *attempt.stop_by - now);
  return {.cause = cause, .signal = rules.signal, .grace = grace};
}

void stage_stop(Staging& staging, const std::string& actor, AttemptStopping stopping, std::string reason) {
  const auto cause = stopping.cause;
  // Read once: with a later time, the request would have less than the full grace.
  const Instant now = staging.now();
  const Job& job = staging.tables().jobs.at(stopping.attempt.job);
  const auto state = staging.tables().attempts.at(stopping.attempt).state;
  if (state != AttemptState::unknown && state != AttemptState::stopping) {
    stopping.stop_by = now + job.spec->stop.grace;
    staging.add(actor, stopping, std::move(reason));
  }
  const Attempt& attempt = staging.tables().attempts.at(stopping.attempt);
  staging.then(StopEffect{attempt.cluster, attempt.token(), stop_request(job, attempt, cause, now)});
}

}  // namespace ym
