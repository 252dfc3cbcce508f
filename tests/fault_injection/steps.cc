#include "fault_injection/steps.h"

#include <algorithm>

namespace ym::sim {
namespace {

bool is_of(const EventPayload& payload, Step step) {
  const auto* admitted = std::get_if<AttemptAdmitted>(&payload);
  const auto* stopping = std::get_if<AttemptStopping>(&payload);
  switch (step) {
    case Step::submit: return std::holds_alternative<JobSubmitted>(payload);
    case Step::admit: return admitted != nullptr;
    case Step::reserve: return std::holds_alternative<PlacementNominated>(payload);
    case Step::launch_intent: return admitted && admitted->attempt.placement.size() > 1;
    case Step::executor_id: return std::holds_alternative<AttemptSubmitted>(payload);
    case Step::running: return std::holds_alternative<AttemptStarted>(payload);
    case Step::progress: return std::holds_alternative<AttemptProgressed>(payload);
    case Step::cancel_request: return std::holds_alternative<CancelRequested>(payload);
    case Step::preempt_request: return stopping && stopping->cause == StopCause::preemption;
    case Step::signal_sent: return stopping != nullptr;
    case Step::exit_seen: return std::holds_alternative<TaskEnded>(payload);
    case Step::outcome: return std::holds_alternative<AttemptEnded>(payload);
    case Step::retry_scheduled: return std::holds_alternative<JobRequeued>(payload);
    case Step::finished: return std::holds_alternative<JobFinished>(payload);
  }
  return false;
}

}  // namespace

std::string_view to_string(Step step) {
  switch (step) {
    case Step::submit: return "submit";
    case Step::admit: return "admit";
    case Step::reserve: return "reserve";
    case Step::launch_intent: return "launch intent";
    case Step::executor_id: return "executor id";
    case Step::running: return "running";
    case Step::progress: return "progress";
    case Step::cancel_request: return "cancel request";
    case Step::preempt_request: return "preempt request";
    case Step::signal_sent: return "signal sent";
    case Step::exit_seen: return "exit seen";
    case Step::outcome: return "outcome";
    case Step::retry_scheduled: return "retry scheduled";
    case Step::finished: return "finished";
  }
  return {};
}

std::string_view to_string(Moment moment) {
  switch (moment) {
    case Moment::before: return "before the commit";
    case Moment::after: return "after the commit";
    case Moment::after_the_effect: return "after the effect";
  }
  return {};
}

bool contains(const Commit& commit, Step step) {
  return std::ranges::any_of(commit.events, [&](const Event& event) { return is_of(event.payload, step); });
}

}  // namespace ym::sim
