#include "executor/kubernetes/pods/accepted_first.h"

#include <utility>

#include "executor/remote/acceptance.h"

namespace ym::kubernetes {

ObservationSink AcceptedFirst::before(ObservationSink sink) {
  return [this, sink = std::move(sink)](Observation observation) {
    if (std::holds_alternative<LaunchAccepted>(observation.what)) {
      if (learn(observation.token)) sink(std::move(observation));
      return;
    }
    if (remote::proves_acceptance(observation.what) && learn(observation.token))
      sink({observation.token, LaunchAccepted{}});
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
