// Which queues are stopped: those whose own policy says so, and those below them. And which are fenced.
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
  QueueStops(const std::map<std::string, Queue>& rows, const Names& queue_names, const QuotaTree& tree);

  // Of the queue and those above it the first that lets none of its jobs begin; kNone: they may.
  Index held_by(Index queue) const { return queue < held_by_.size() ? held_by_[queue] : kNone; }
  // And none of them go on.
  Index drained_by(Index queue) const { return queue < drained_by_.size() ? drained_by_[queue] : kNone; }
  bool any_drained() const { return any_drained_; }
  // Whether a fence stands around the queue (model/queue.h).
  bool is_fenced(Index queue) const { return queue < fenced_.size() && fenced_[queue] != 0; }

 private:
  std::vector<Index> held_by_, drained_by_;  // by queue
  std::vector<std::uint8_t> fenced_;         // by queue
  bool any_drained_ = false;
};

}  // namespace ym::engine
