// What is a long wait in a queue: no site's day is like another's.
#pragma once

#include <optional>
#include <vector>

#include "base/time.h"
#include "engine/state/impl.h"

namespace ym::engine {

// How long the jobs of a queue that have begun and run had waited for their places, on the average. A job that has
// waited as long as that does not wait unduly, however long it is. Where nothing runs: no time. Found once for each
// queue that is asked for.
class OwnWaits {
 public:
  explicit OwnWaits(const State::Impl& state) : state_(state), by_queue_(state.queue_names.size()) {}
  Duration of_queue(QueueIndex queue);

 private:
  const State::Impl& state_;
  IndexedVector<QueueIndex, std::optional<Duration>> by_queue_;
};

}  // namespace ym::engine
