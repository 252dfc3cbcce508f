// Rooms: from when on nodes have room for a task, whatever is promised of them. Remembered from cycle to cycle for all
// who need the same, and kept in the order of these times, so that a search looks at the nodes that decide alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/time.h"
#include "engine/state/ladder.h"
#include "engine/state/minute.h"
#include "engine/state/touch_log.h"

namespace ym::engine {

class Rooms {
 public:
  // A place among the nodes.
  using Place = std::uint32_t;
  struct Node {
    NodeIndex node = kNone;
    Index pool = 0;
    Minute first = kNoMinute;
    Instant holds_until;  // by then time alone may change it
  };
  // The nodes of a pool, as places and in `by_first`.
  struct Range {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
  };
  // What is found when a node is looked at. The ladder counts where it is kept.
  struct Seen {
    Minute first = kNoMinute;
    Instant holds_until;
    Ladder ladder{};
  };
  // When that is: since when what was seen of a node holds is for the log to say.
  struct Moment {
    const TouchLog& touches;
    std::int64_t minute = 0;  // of the clock, that is running
    Instant now;
  };

  bool empty() const { return nodes_.empty(); }
  // Those of a pool are added one after the other, by name. Precondition: it has not been renewed yet.
  void add(NodeIndex node, Index pool);
  // It is remembered too when how many GPUs of each are free. Precondition: all were added, and none was renewed yet.
  void keep_ladders() { ladders_.resize(nodes_.size()); }
  // Brings it up to date. `look` says of a node's index what is seen.
  template <class Look>
  void renew(const Moment& moment, Look look);

  const std::vector<Node>& nodes() const { return nodes_; }
  // By place; empty: they are not kept.
  const std::vector<Ladder>& ladders() const { return ladders_; }
  // Pool by pool: by the minute, then by place.
  const std::vector<Place>& by_first() const { return by_first_; }
  Range of_pool(Index pool) const;
  // kNone: the node is none of them.
  Place place_of(NodeIndex node) const { return place_of_.has(node) ? place_of_[node] : Place{kNone}; }

 private:
  // Who is to be looked at again.
  struct Due {
    std::vector<Place> places;  // each once
    // Time alone may have changed some: then when it does next is to be found out.
    bool by_time = false;
    // Of those the first minutes do not count any more. If not: they are in their order until they are changed.
    bool out_of_order = false;
  };
  Due due_at(const Moment& moment);
  void add_touched(std::span<const NodeIndex> touched, std::vector<Place>& places) const;
  void go_to_minute(std::int64_t minute);
  void set_first(Place place, Minute first);
  void put_in_order(std::vector<Place>& changed);
  void note_next_change();

  std::vector<Node> nodes_;
  std::vector<Ladder> ladders_;
  std::vector<Place> by_first_;
  IndexedVector<NodeIndex, Place> place_of_;
  std::optional<std::uint64_t> seen_;  // up to there in the log; nothing: nobody has looked yet
  std::int64_t minute_ = 0;
  Instant now_;          // when it was renewed last
  Instant holds_until_;  // of all: not later than that
};

template <class Look>
void Rooms::renew(const Moment& moment, Look look) {
  Due due = due_at(moment);
  const bool one_by_one = !due.out_of_order && due.places.size() * 64 < nodes_.size() + 1024;
  for (const Place place : due.places) {
    const Seen seen = look(nodes_[place].node);
    if (!one_by_one) nodes_[place].first = seen.first;
    else if (nodes_[place].first != seen.first) set_first(place, seen.first);
    nodes_[place].holds_until = seen.holds_until;
    if (!ladders_.empty()) ladders_[place] = seen.ladder;
    if (seen.holds_until < holds_until_) holds_until_ = seen.holds_until;
  }
  if (!one_by_one && !due.places.empty()) put_in_order(due.places);
  if (due.by_time) note_next_change();
}

}  // namespace ym::engine
