#include "executor/kubernetes/pods/accepted_first.h"

#include <utility>

namespace ym::kubernetes {
namespace {

// An attempt that ended without a pod was accepted too.
bool proves_acceptance(const Observation& observation) {
  return std::holds_alternative<LaunchPreparing>(observation.what) ||
         std::holds_alternative<GangIsWaiting>(observation.what) ||
         std::holds_alternative<TaskIsRunning>(observation.what) ||
         std::holds_alternative<TaskHasEnded>(observation.what);
}

}  // namespace

ObservationSink AcceptedFirst::before(ObservationSink sink) {
  return [this, sink = std::move(sink)](Observation observation) {
    if (std::holds_alternative<LaunchAccepted>(observation.what)) {
      if (learn(observation.token)) sink(std::move(observation));
      return;
    }
    if (proves_acceptance(observation) && learn(observation.token)) sink({observation.token, LaunchAccepted{}});
    sink(std::move(observation));
  };
}

void AcceptedFirst::forget(const Token& token) {
  const std::lock_guard lock(mutex_);
  known_.erase(token);
}

bool AcceptedFirst::learn(const Token& token) {
  const std::lock_guard lock(mutex_);
  return known_.insert(token).second;
}

}  // namespace ym::kubernetes
