#include "papers/placement/cluster.h"

namespace ym::sim::placement {

Cluster::Cluster(const Fleet& fleet, const PodList& list, Policy& policy)
    : list_(list), policy_(policy), rooms_(fleet.rooms), seen_(list.shapes.size()), looked_at_(fleet.rooms.size()) {
  for (Node node = 0; node < rooms_.size(); ++node) policy_.changed(node, rooms_[node]);
}

void Cluster::look(const Shape& shape, Seen& seen, Node node) {
  const Room& room = rooms_[node];
  seen.costs[node] = room.fits(shape) ? policy_.offer(shape, node, room).cost : kNoRoom;
}

const Cluster::Seen& Cluster::costs_of(ShapeId pod) {
  Seen& seen = seen_[pod];
  const Shape& shape = list_.shapes[pod];
  looks_ += 1;
  if (seen.costs.empty()) {
    seen.costs.resize(rooms_.size());
    for (Node node = 0; node < rooms_.size(); ++node) look(shape, seen, node);
  } else {
    for (std::size_t i = seen.changes; i < changes_.size(); ++i) {
      const Node node = changes_[i];
      if (looked_at_[node] != looks_) look(shape, seen, node);
      looked_at_[node] = looks_;
    }
  }
  seen.changes = changes_.size();
  return seen;
}

void Cluster::change(ShapeId pod, const Place& place, std::int32_t pods) {
  const Shape& shape = list_.shapes[pod];
  rooms_[place.node].take(shape, place.gpus, pods);
  allocated_milli_ += std::int64_t{pods} * shape.total_milli();
  changes_.push_back(place.node);
  policy_.moved(shape, place.node, pods);
  policy_.changed(place.node, rooms_[place.node]);
}

std::optional<Place> Cluster::place(ShapeId pod) {
  const Shape& shape = list_.shapes[pod];
  const Seen& seen = costs_of(pod);
  const Node node = policy_.choose(seen.costs);
  if (seen.costs[node] == kNoRoom) return std::nullopt;
  const Place place{.node = node, .gpus = policy_.offer(shape, node, rooms_[node]).gpus};
  change(pod, place, 1);
  return place;
}

void Cluster::release(ShapeId pod, const Place& place) { change(pod, place, -1); }

}  // namespace ym::sim::placement
