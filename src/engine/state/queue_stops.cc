#include "engine/state/queue_stops.h"

namespace ym::engine {

QueueStops::QueueStops(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names,
                       const QuotaTree& tree)
    : held_by_(queue_names.size(), kNone), drained_by_(queue_names.size(), kNone), fenced_(queue_names.size()) {
  IndexedVector<QueueIndex, StopPolicy> own(queue_names.size(), StopPolicy::none);
  for (const auto& [name, row] : rows) {
    own[queue_names.find(name)] = row.stop;
    fenced_[queue_names.find(name)] = row.fence ? 1 : 0;
  }
  for (const QueueIndex queue : indices<QueueIndex>(queue_names.size())) {
    for (QueueIndex above = queue; above != kNone; above = tree.parent(above)) {
      if (own[above] != StopPolicy::none && held_by_[queue] == kNone) held_by_[queue] = above;
      if (own[above] == StopPolicy::hold_and_drain && drained_by_[queue] == kNone) drained_by_[queue] = above;
    }
    any_drained_ = any_drained_ || drained_by_[queue] != kNone;
  }
}

}  // namespace ym::engine
