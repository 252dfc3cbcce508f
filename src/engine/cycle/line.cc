#include "engine/cycle/line.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ym::engine {

void Line::form(const Cycle& cycle, Index queue) {
  if (!cycle.lately || !cycle.state.orders.shares_among_users(queue)) return;
  queue_ = queue;
  // In an earlier round others may have been ahead.
  std::ranges::sort(jobs_, {}, &Seat::place);
  std::map<Index, std::size_t> lane_of;
  for (std::size_t place = 0; place < jobs_.size(); ++place) {
    const Index user = cycle.state.jobs[jobs_[place].slot].user;
    const auto [it, fresh] = lane_of.emplace(user, lanes_.size());
    if (fresh) lanes_.push_back({.user = user, .places = {}});
    lanes_[it->second].places.push_back(place);
  }
  choose(cycle);
}

void Line::next(const Cycle& cycle) {
  if (lanes_.empty()) {
    ++turn_;
    return;
  }
  ++lanes_[lane_].turn;
  choose(cycle);
}

void Line::choose(const Cycle& cycle) {
  using Key = std::tuple<std::int64_t, std::int64_t, std::size_t>;
  std::optional<Key> best;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (lane.turn == lane.places.size()) continue;
    const std::size_t place = lane.places[lane.turn];
    const Key key{jobs_[place].urgency, cycle.lately->share_of(queue_, lane.user), place};
    if (best && *best < key) continue;
    best = key;
    lane_ = i;
  }
  turn_ = best ? std::get<std::size_t>(*best) : jobs_.size();
}

}  // namespace ym::engine
