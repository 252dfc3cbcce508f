#include "engine/cycle/line.h"

#include <map>
#include <optional>
#include <ranges>
#include <tuple>

namespace ym::engine {
namespace {

// kNone is nobody.
Index more_senior(const Cycle& cycle, Index a, Index b) {
  if (a == kNone || b == kNone) return a == kNone ? b : a;
  return own_seniority(cycle.seats[b]) < own_seniority(cycle.seats[a]) ? b : a;
}

// Of each of them: who of those from there on that are as urgent lends the most.
template <class Seats>
std::vector<Index> lenders_among(const Cycle& cycle, const Seats& seats) {
  std::vector<Index> lenders(seats.size(), kNone);
  Index lender = kNone;
  std::int64_t urgency = 0;
  for (std::size_t i = seats.size(); i-- > 0;) {
    const Seat& seat = cycle.seats[seats[i]];
    if (seat.urgency != urgency) lender = kNone;
    urgency = seat.urgency;
    if (seat.lends) lender = more_senior(cycle, lender, seats[i]);
    lenders[i] = lender;
  }
  return lenders;
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
  begin_ = head_;
  if (cycle.state.orders.has(queue_)) lenders_ = lenders_among(cycle, std::views::iota(head_, end_));
  skip_placed(cycle);
}

void Line::form_lanes(const Cycle& cycle) {
  std::map<Index, std::size_t> lane_of;
  for (Index seat = head_; seat < end_; ++seat) {
    if (cycle.seats[seat].placed) continue;
    const Index user = cycle.state.jobs[cycle.seats[seat].slot].user;
    const auto [it, fresh] = lane_of.emplace(user, lanes_.size());
    if (fresh) lanes_.push_back({.user = user, .seats = {}, .lenders = {}});
    lanes_[it->second].seats.push_back(seat);
  }
  for (Lane& lane : lanes_) lane.lenders = lenders_among(cycle, lane.seats);
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
}

Index Line::lender(const Cycle& cycle) const {
  if (lanes_.empty()) return lenders_.empty() ? kNone : lenders_[head_ - begin_];
  Index lender = kNone;
  for (const Lane& lane : lanes_)
    if (lane.turn < lane.seats.size() && cycle.seats[lane.seats[lane.turn]].urgency == cycle.seats[head_].urgency)
      lender = more_senior(cycle, lender, lane.lenders[lane.turn]);
  return lender;
}

Seniority Line::seniority(const Cycle& cycle) const {
  const Index lender = this->lender(cycle);
  const Seat& head = cycle.seats[head_];
  return lender == kNone ? own_seniority(head) : lent_seniority(cycle, head, cycle.seats[lender]);
}

}  // namespace ym::engine
