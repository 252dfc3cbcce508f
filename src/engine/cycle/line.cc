#include "engine/cycle/line.h"

#include <map>
#include <optional>
#include <tuple>

namespace ym::engine {

void Line::form(const Cycle& cycle, QueueIndex queue, Instant most) {
  queue_ = queue;
  head_ = cycle.line_up.lines[queue];
  end_ = cycle.line_up.line_ends[queue];
  if (cycle.in.state.orders.has(queue)) lenders_.form(cycle, head_, end_, most);
  if (cycle.tried.lately && cycle.in.state.orders.shares_among_users(queue)) form_lanes(cycle);
  else skip_placed(cycle);
  empty_ = head_ == kNone;
}

void Line::form_lanes(const Cycle& cycle) {
  std::map<UserIndex, std::size_t> lane_of;
  for (const SeatIndex seat : IndexRange(head_, end_)) {
    if (cycle.line_up.seats[seat].placed) continue;
    const UserIndex user = cycle.in.state.jobs[cycle.line_up.seats[seat].slot].user;
    const auto [it, fresh] = lane_of.emplace(user, lanes_.size());
    if (fresh) lanes_.push_back({.user = user, .seats = {}});
    lanes_[it->second].seats.push_back(seat);
  }
  choose(cycle);
}

void Line::next_of_lanes(const Cycle& cycle) {
  ++lanes_[lane_].turn;
  choose(cycle);
}

void Line::choose(const Cycle& cycle) {
  using Key = std::tuple<std::int64_t, std::int64_t, SeatIndex>;
  std::optional<Key> best;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (lane.turn == lane.seats.size()) continue;
    const SeatIndex seat = lane.seats[lane.turn];
    const Key key{cycle.line_up.seats[seat].urgency, cycle.tried.lately->share_of(queue_, lane.user), seat};
    if (best && *best < key) continue;
    best = key;
    lane_ = i;
  }
  head_ = best ? std::get<SeatIndex>(*best) : kNone;
}

}  // namespace ym::engine
