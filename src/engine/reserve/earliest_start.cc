// The earliest time at which a gang finds room, without a look at each node.
//
// Most nodes have room from a known time on, for good: in the order of these times (state/timeline/free_times.h) the
// search takes the first ones that are enough. Special nodes have reservations, or jobs that could be stopped. They
// give spans of time, which are merged in.
#include <algorithm>
#include <utility>

#include "engine/reserve/pool_times.h"

namespace ym::engine {
std::vector<Reservations::Span> Reservations::special_spans(const FreeTimes& free_times, const FreeTimes::Range& pool,
                                                            const PlaceRequest& request, const Keepers& barred,
                                                            Minute latest) const {
  std::vector<Span> spans;
  const auto find = [&](NodeIndex node) -> const FreeTimes::Node* {
    const FreeTimes::Place place = free_times.place_of(node);
    const bool is_there = place != kNone && place >= pool.begin && place < pool.end && barred[node] == kNone;
    return is_there ? &free_times.nodes()[place] : nullptr;
  };
  const auto look_at = [&](NodeIndex node) {
    if (const FreeTimes::Node* room = find(node)) spans_of(*room, request, spans);
  };
  if (advance_.any()) {
    for (const FreeTimes::Place place : pool.places())
      if (is_special(free_times.nodes()[place].node, request)) look_at(free_times.nodes()[place].node);
    return spans;
  }
  if (request.yielding.nodes.empty()) {
    FreeIntervals::OfTask& known = free_intervals_.of(request.need.task);
    for (const BookedNode& booked : booked_nodes_) {
      const FreeTimes::Node* room = find(booked.node);
      if (!room || room->first > latest) continue;
      for (const FreeInterval& stretch : free_intervals(booked, *room, known)) {
        if (stretch.begin > latest) break;
        add_span(booked.node, stretch, request, spans);
      }
    }
    return spans;
  }
  for (const BookedNode& booked : booked_nodes_) look_at(booked.node);
  NodeIndex last = kNone;
  for (const NodeIndex node : request.yielding.nodes)
    if (std::exchange(last, node) != node && !is_booked(node)) look_at(node);
  return spans;
}

// The nodes of a pool that have room for good from a known time on, in the order of these times.
class Reservations::Plain {
 public:
  Plain(const Reservations& reservations, const FreeTimes& free_times, const FreeTimes::Range& pool,
        const PlaceRequest& request, const Keepers& barred)
      : reservations_(reservations),
        free_times_(free_times),
        wish_(request),
        barred_(barred),
        next_(pool.order_begin()),
        end_(pool.order_end()) {
    pass_over();
  }
  // When the next node has room; kNoMinute: there is none.
  Minute next() const {
    const Minute first = next_ < end_ ? node().first : kNoMinute;
    return first == kNoMinute ? first : std::max(first, wish_.not_before);
  }
  // Precondition: there is a next node.
  void go_on() {
    ++next_;
    pass_over();
  }

 private:
  const FreeTimes::Node& node() const { return free_times_.nodes()[free_times_.by_first()[next_]]; }
  void pass_over() {
    while (next_ < end_ && (barred_[node().node] != kNone || reservations_.is_special(node().node, wish_))) ++next_;
  }

  const Reservations& reservations_;
  const FreeTimes& free_times_;
  const PlaceRequest& wish_;
  const Keepers& barred_;
  FreeTimes::OrderIndex next_, end_;
};

// The first minute at which the wanted number of nodes has room; kNoMinute: none. `enough`: that minute without the
// special nodes; the result is never later.
Minute Reservations::first_with_room(Plain plain, std::size_t wanted, Minute enough,
                                     const std::vector<Span>& spans) const {
  for (const Span& span : spans) {
    if (span.first >= enough) continue;
    changes_of_special_.add(span.first, 1);
    if (span.end <= kHorizon) changes_of_special_.add(span.end, -1);
  }
  Minute minute = 0;
  for (std::int64_t have = 0;; ++minute) {
    minute = std::min(changes_of_special_.next(minute), plain.next());
    if (minute >= enough) break;
    if (minute == changes_of_special_.next(minute)) have += changes_of_special_.at(minute);
    for (; plain.next() <= minute; plain.go_on()) ++have;
    if (std::cmp_greater_equal(have, wanted)) break;
  }
  changes_of_special_.clear();
  return std::min(minute, enough);
}

std::optional<Reservations::Begin> Reservations::earliest_in(const FreeTimes& free_times, const FreeTimes::Range& pool,
                                                             const PlaceRequest& request, const Keepers& barred) const {
  const Plain plain(*this, free_times, pool, request, barred);
  Plain alone = plain;
  for (std::size_t found = 1; found < request.need.nodes && alone.next() != kNoMinute; ++found) alone.go_on();
  const Minute enough = alone.next();
  const std::vector<Span> spans = special_spans(free_times, pool, request, barred, enough);
  Begin begin{.pool = pool, .minute = first_with_room(plain, request.need.nodes, enough, spans), .special = {}};
  if (begin.minute == kNoMinute) return std::nullopt;
  for (const Span& span : spans)
    if (span.first <= begin.minute && begin.minute < span.end)
      begin.special.push_back({.since = span.since, .place = free_times.place_of(span.node)});
  std::ranges::sort(begin.special, {}, [](const Begin::Special& one) { return std::pair(-one.since, one.place); });
  return begin;
}

}  // namespace ym::engine
