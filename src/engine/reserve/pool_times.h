// When tasks could begin on the nodes of a pool.
#pragma once

#include <span>
#include <vector>

#include "engine/reserve/reservations.h"

namespace ym::engine {

// A task can begin on the node at any minute of [first, end).
struct Reservations::Span {
  Minute first = 0, end = 0;
  Minute since = 0;  // when the room begins
  NodeIndex node = kNone;
};

// The part of a free interval from which a job can still end before the interval does.
inline void Reservations::add_span(NodeIndex node, const FreeInterval& stretch, const Wish& wish,
                                   std::vector<Span>& spans) const {
  const Minute begin = std::max(stretch.begin, wish.not_before), end = stretch.end;
  if (end <= begin) return;
  const Minute last_end = end == kNoMinute ? kNoMinute : std::max(begin, end - wish.length + 1);
  // An interval with an end counts in whole minutes, and the current minute is not whole any more.
  const Minute first = end != kNoMinute && begin == 0 && !calendar_.is_turn() ? 1 : begin;
  if (begin <= kHorizon && first < last_end)
    spans.push_back({.first = first, .end = last_end, .since = begin, .node = node});
}

inline std::span<const FreeInterval> Reservations::free_intervals(const BookedNode& booked, const FreeTimes::Node& room,
                                                                  FreeIntervals::OfTask& known) const {
  const std::uint32_t touched = calendar_.touched(booked.node);
  if (const auto found = known.find(booked.promises, touched)) return *found;
  return known.note(booked.promises, touched, look_at(room, known.task()));
}

// When a gang without slices could begin in a pool, and the special nodes that have room then.
struct Reservations::Begin {
  struct Special {
    Minute since = 0;  // when the room begins
    FreeTimes::Place place = kNone;
  };

  FreeTimes::Range pool;
  Minute minute = 0;
  std::vector<Special> special;  // the latest first; of equals by place
};

// When a task could begin on the nodes of a pool.
struct Reservations::PoolTimes {
  static constexpr Minute kSpecial = -1;

  std::span<const FreeTimes::Node> pool;
  std::vector<Minute> firsts;  // by node of the pool: first minute with room; a special node has spans instead
  std::vector<Span> spans;     // by node, in the order of the pool

  // The minutes at which more nodes have room, in any order.
  std::vector<Minute> begins() const {
    std::vector<Minute> minutes;
    for (const Minute first : firsts)
      if (first != kSpecial && first != kNoMinute) minutes.push_back(first);
    for (const Span& span : spans) minutes.push_back(span.first);
    return minutes;
  }

  Start start_at(Minute minute) const {
    Start start{.minute = minute, .nodes = {}};
    start.nodes.reserve(pool.size());
    auto span = spans.begin();
    for (std::size_t i = 0; i < pool.size(); ++i) {
      if (firsts[i] > minute) continue;
      if (firsts[i] != kSpecial) start.nodes.push_back({.first = firsts[i], .node = pool[i].node});
      for (; firsts[i] == kSpecial && span != spans.end() && span->node == pool[i].node; ++span)
        if (span->first <= minute && minute < span->end)
          start.nodes.push_back({.first = span->since, .node = pool[i].node});
    }
    return start;
  }
};

}  // namespace ym::engine
