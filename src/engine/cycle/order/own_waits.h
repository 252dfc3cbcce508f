// OwnWaits: what a long wait is in a queue. It differs from site to site.
#pragma once

#include <optional>
#include <vector>

#include "base/time.h"
#include "engine/state/impl.h"

namespace ym::engine {

// How long the running jobs of a queue had waited for their places, on average. A job that has waited that long does
// not wait unduly, however long it is. Zero where nothing runs. Computed once for each queue that is asked for.
class OwnWaits {
 public:
  explicit OwnWaits(const State::Impl& state) : state_(state), by_queue_(state.queue_names.size()) {}
  Duration of_queue(QueueIndex queue);

 private:
  const State::Impl& state_;
  IndexedVector<QueueIndex, std::optional<Duration>> by_queue_;
};

}  // namespace ym::engine
