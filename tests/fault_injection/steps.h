// Stored steps in a job's life, at which a server can die.
#pragma once

#include <cstdint>
#include <string_view>

#include "store/store.h"

namespace ym::sim {

enum class Step : std::uint8_t {
  submit,           // JobSubmitted
  admit,            // AttemptAdmitted: quota, place and the intent to launch are one event
  reserve,          // PlacementNominated
  launch_intent,    // AttemptAdmitted of a gang
  executor_id,      // AttemptSubmitted: the executor has it
  running,          // AttemptStarted
  progress,         // AttemptProgressed: a checkpoint
  cancel_request,   // CancelRequested
  preempt_request,  // AttemptStopping, for a preemption
  signal_sent,      // AttemptStopping, for any cause
  exit_seen,        // TaskEnded
  outcome,          // AttemptEnded: devices and quota are free again
  retry_scheduled,  // JobRequeued
  finished,         // JobFinished
};
inline constexpr std::size_t kSteps = 14;

std::string_view to_string(Step step);  // "launch intent"
bool contains(const Commit& commit, Step step);

// The moment, relative to the commit with the step.
enum class Moment : std::uint8_t {
  before,            // nothing of it is stored
  after,             // it is stored, and has had no effect yet
  after_the_effect,  // its first effect has happened: a reply, a launch, a stop, a release
};

std::string_view to_string(Moment moment);  // "before the commit"

}  // namespace ym::sim
