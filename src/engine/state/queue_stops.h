// Which queues are stopped: by their own policy or by that of a queue above. And which are fenced.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/quota/quota_tree.h"
#include "engine/state/names.h"
#include "model/queue.h"

namespace ym::engine {

class QueueStops {
 public:
  QueueStops() = default;
  QueueStops(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names, const QuotaTree& tree);

  // The first queue, of this one and those above it, that lets no job start; kNone: jobs may start.
  QueueIndex held_by(QueueIndex queue) const { return held_by_.has(queue) ? held_by_[queue] : QueueIndex{}; }
  // The same for a queue that lets no job run.
  QueueIndex drained_by(QueueIndex queue) const { return drained_by_.has(queue) ? drained_by_[queue] : QueueIndex{}; }
  bool any_drained() const { return any_drained_; }
  // Whether a fence is around the queue (model/queue.h).
  bool is_fenced(QueueIndex queue) const { return fenced_.has(queue) && fenced_[queue] != 0; }

 private:
  IndexedVector<QueueIndex, QueueIndex> held_by_, drained_by_;
  IndexedVector<QueueIndex, std::uint8_t> fenced_;
  bool any_drained_ = false;
};

}  // namespace ym::engine
