#include "engine/cycle/line.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace ym::engine {
namespace {

Index elder(const Cycle& cycle, Index a, Index b) {
  const auto key = [&](Index seat) { return std::pair(cycle.seats[seat].submitted_at, cycle.seats[seat].id); };
  return key(b) < key(a) ? b : a;
}

// Of those as urgent as who sits there, if `behind` is that of who sits behind him; kNone: nobody does.
Index eldest_with(const Cycle& cycle, Index seat, Index behind) {
  if (behind == kNone || cycle.seats[behind].urgency != cycle.seats[seat].urgency) return seat;
  return elder(cycle, seat, behind);
}

}  // namespace

void Line::form(const Cycle& cycle, Index queue) {
  queue_ = queue;
  head_ = cycle.lines[queue];
  end_ = cycle.line_ends[queue];
  if (cycle.lately && cycle.state.orders.shares_among_users(queue)) form_lanes(cycle);
  else form_plain(cycle);
  empty_ = head_ == kNone;
}

void Line::form_plain(const Cycle& cycle) {
  if (cycle.state.orders.has(queue_)) {
    Index eldest = kNone;
    for (Index seat = end_; seat-- > head_;) {
      if (!cycle.seats[seat].placed) eldest = eldest_with(cycle, seat, eldest);
      eldest_from_.push_back(eldest);
    }
  }
  skip_placed(cycle);
}

void Line::form_lanes(const Cycle& cycle) {
  std::map<Index, std::size_t> lane_of;
  for (Index seat = head_; seat < end_; ++seat) {
    if (cycle.seats[seat].placed) continue;
    const Index user = cycle.state.jobs[cycle.seats[seat].slot].user;
    const auto [it, fresh] = lane_of.emplace(user, lanes_.size());
    if (fresh) lanes_.push_back({.user = user, .seats = {}, .eldest = {}});
    lanes_[it->second].seats.push_back(seat);
  }
  for (Lane& lane : lanes_) {
    lane.eldest = lane.seats;
    for (std::size_t i = lane.eldest.size() - 1; i-- > 0;)
      lane.eldest[i] = eldest_with(cycle, lane.seats[i], lane.eldest[i + 1]);
  }
  choose(cycle);
}

void Line::next(const Cycle& cycle) {
  if (lanes_.empty()) {
    ++head_;
    skip_placed(cycle);
    return;
  }
  ++lanes_[lane_].turn;
  choose(cycle);
}

void Line::skip_placed(const Cycle& cycle) {
  while (head_ < end_ && cycle.seats[head_].placed) ++head_;
  if (head_ == end_) head_ = kNone;
  eldest_ = head_ == kNone || eldest_from_.empty() ? head_ : eldest_from_[end_ - 1 - head_];
}

void Line::choose(const Cycle& cycle) {
  using Key = std::tuple<std::int64_t, std::int64_t, Index>;
  std::optional<Key> best;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (lane.turn == lane.seats.size()) continue;
    const Index seat = lane.seats[lane.turn];
    const Key key{cycle.seats[seat].urgency, cycle.lately->share_of(queue_, lane.user), seat};
    if (best && *best < key) continue;
    best = key;
    lane_ = i;
  }
  head_ = best ? std::get<Index>(*best) : kNone;
  choose_eldest(cycle);
}

void Line::choose_eldest(const Cycle& cycle) {
  eldest_ = head_;
  for (const Lane& lane : lanes_)
    if (lane.turn < lane.seats.size() && cycle.seats[lane.seats[lane.turn]].urgency == cycle.seats[head_].urgency)
      eldest_ = elder(cycle, eldest_, lane.eldest[lane.turn]);
}

}  // namespace ym::engine
