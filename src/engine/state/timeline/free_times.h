// FreeTimes: the minute from which each node has room for a task, reservations aside. All jobs with the same need share
// them, from cycle to cycle. They are sorted by these minutes, so that a search looks only at the nodes that decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/state/minute.h"
#include "engine/state/timeline/free_steps.h"
#include "engine/state/touch_log.h"

namespace ym::engine {

class FreeTimes {
 public:
  // An index into the nodes, and one into `by_first`.
  using Place = StrongIndex<struct PlaceTag>;
  using OrderIndex = StrongIndex<struct OrderTag>;
  struct Node {
    NodeIndex node = kNone;
    PoolIndex pool = kNone;
    Minute first = kNoMinute;
    Instant holds_until;  // until then time alone does not change it
  };
  // The nodes of a pool.
  struct Range {
    Place begin{0U}, end{0U};
    std::size_t size() const { return end - begin; }
    IndexRange<Place> places() const { return {begin, end}; }
    // In `by_first` the pool has the same part.
    OrderIndex order_begin() const { return OrderIndex(begin.value); }
    OrderIndex order_end() const { return OrderIndex(end.value); }
  };
  // Result of looking at a node. The free steps matter if they are kept.
  struct Seen {
    Minute first = kNoMinute;
    Instant holds_until;
    FreeSteps free_steps{};
  };
  // The time of a renewal. The log says which nodes changed since.
  struct Moment {
    const TouchLog& touches;
    std::int64_t minute = 0;  // current minute of the clock
    Instant now;
  };

  bool empty() const { return nodes_.empty(); }
  // Adds the nodes of a pool one after the other, by name. Precondition: no renewal yet.
  void add(NodeIndex node, PoolIndex pool);
  // Also keeps from when on which number of GPUs of a node is free. Precondition: all nodes were added, and no renewal
  // yet.
  void keep_free_steps() { free_steps_.resize(nodes_.size()); }
  // Brings it up to date. `look` returns what is seen of a node's index.
  template <class Look>
  void renew(const Moment& moment, Look look);

  const IndexedVector<Place, Node>& nodes() const { return nodes_; }
  // Empty: they are not kept.
  const IndexedVector<Place, FreeSteps>& free_steps() const { return free_steps_; }
  // Pool by pool: by the minute, then by place.
  const IndexedVector<OrderIndex, Place>& by_first() const { return by_first_; }
  Range of_pool(PoolIndex pool) const;
  std::span<const Node> nodes_of(const Range& pool) const {
    return std::span(nodes_.raw()).subspan(pool.begin.value, pool.size());
  }
  // kNone: the node is not among them.
  Place place_of(NodeIndex node) const { return place_of_.has(node) ? place_of_[node] : Place{}; }

 private:
  // The nodes to look at again.
  struct Due {
    std::vector<Place> places;  // each once
    // Time alone may have changed some: then the next such time has to be computed.
    bool by_time = false;
    // The sort order of these nodes is invalid. If false, they are in order until they are changed.
    bool out_of_order = false;
  };
  Due due_at(const Moment& moment);
  void add_touched(std::span<const NodeIndex> touched, std::vector<Place>& places) const;
  void go_to_minute(std::int64_t minute);
  void set_first(Place place, Minute first);
  void put_in_order(std::vector<Place>& changed);
  void note_next_change();

  IndexedVector<Place, Node> nodes_;
  IndexedVector<Place, FreeSteps> free_steps_;
  IndexedVector<OrderIndex, Place> by_first_;
  IndexedVector<NodeIndex, Place> place_of_;
  std::optional<std::uint64_t> seen_;  // read up to this point of the log; nothing: never looked
  std::int64_t minute_ = 0;
  Instant now_;          // time of the last renewal
  Instant holds_until_;  // for all nodes: none is valid for longer
};

template <class Look>
void FreeTimes::renew(const Moment& moment, Look look) {
  Due due = due_at(moment);
  const bool one_by_one = !due.out_of_order && due.places.size() * 64 < nodes_.size() + 1024;
  for (const Place place : due.places) {
    const Seen seen = look(nodes_[place].node);
    if (!one_by_one) nodes_[place].first = seen.first;
    else if (nodes_[place].first != seen.first) set_first(place, seen.first);
    nodes_[place].holds_until = seen.holds_until;
    if (!free_steps_.empty()) free_steps_[place] = seen.free_steps;
    if (seen.holds_until < holds_until_) holds_until_ = seen.holds_until;
  }
  if (!one_by_one && !due.places.empty()) put_in_order(due.places);
  if (due.by_time) note_next_change();
}

}  // namespace ym::engine
