#include "engine/cycle/order/dequeue_order.h"

#include <map>
#include <optional>
#include <tuple>

namespace ym::engine {

void DequeueOrder::form(const Cycle& cycle, QueueIndex queue, Instant most) {
  queue_ = queue;
  head_ = cycle.pending.lines[queue];
  end_ = cycle.pending.line_ends[queue];
  if (cycle.in.state.orders.has(queue)) lenders_.form(cycle, head_, end_, most);
  if (cycle.tried.decayed_usage && cycle.in.state.orders.shares_among_users(queue)) form_lanes(cycle);
  else skip_placed(cycle);
  empty_ = head_ == kNone;
}

void DequeueOrder::form_lanes(const Cycle& cycle) {
  std::map<UserIndex, std::size_t> lane_of;
  for (const EntryIndex entry : IndexRange(head_, end_)) {
    if (cycle.pending.entries[entry].placed) continue;
    const UserIndex user = cycle.in.state.jobs[cycle.pending.entries[entry].slot].user;
    const auto [it, tentative] = lane_of.emplace(user, lanes_.size());
    if (tentative) lanes_.push_back({.user = user, .entries = {}});
    lanes_[it->second].entries.push_back(entry);
  }
  choose(cycle);
}

void DequeueOrder::next_of_lanes(const Cycle& cycle) {
  ++lanes_[lane_].next;
  choose(cycle);
}

void DequeueOrder::choose(const Cycle& cycle) {
  using Key = std::tuple<std::int64_t, std::int64_t, EntryIndex>;
  std::optional<Key> best;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (lane.next == lane.entries.size()) continue;
    const EntryIndex entry = lane.entries[lane.next];
    const Key key{cycle.pending.entries[entry].urgency, cycle.tried.decayed_usage->share_of(queue_, lane.user), entry};
    if (best && *best < key) continue;
    best = key;
    lane_ = i;
  }
  head_ = best ? std::get<EntryIndex>(*best) : kNone;
}

}  // namespace ym::engine
