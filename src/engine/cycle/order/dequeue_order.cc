#include "engine/cycle/order/dequeue_order.h"

#include <map>
#include <optional>
#include <tuple>

namespace ym::engine {

void DequeueOrder::form(const Inputs& in, const PendingEntries& pending, const Tried& tried, QueueIndex queue,
                        Instant most) {
  queue_ = queue;
  head_ = pending.lines[queue];
  end_ = pending.line_ends[queue];
  if (in.state.orders.has(queue)) inheritable_ages_.form(in, pending, head_, end_, most);
  if (tried.decayed_usage && in.state.orders.shares_among_users(queue)) group_by_user(in, pending, tried);
  else skip_placed(pending);
  empty_ = head_ == kNone;
}

void DequeueOrder::group_by_user(const Inputs& in, const PendingEntries& pending, const Tried& tried) {
  std::map<UserIndex, std::size_t> group_of;
  for (const EntryIndex entry : IndexRange(head_, end_)) {
    if (pending.entries[entry].placed) continue;
    const UserIndex user = in.state.jobs[pending.entries[entry].slot].user;
    const auto [it, tentative] = group_of.emplace(user, by_user_.size());
    if (tentative) by_user_.push_back({.user = user, .entries = {}});
    by_user_[it->second].entries.push_back(entry);
  }
  choose(pending, tried);
}

void DequeueOrder::next_among_users(const PendingEntries& pending, const Tried& tried) {
  ++by_user_[head_user_].next;
  choose(pending, tried);
}

void DequeueOrder::choose(const PendingEntries& pending, const Tried& tried) {
  using Key = std::tuple<std::int64_t, std::int64_t, EntryIndex>;
  std::optional<Key> best;
  for (std::size_t i = 0; i < by_user_.size(); ++i) {
    const UserEntries& group = by_user_[i];
    if (group.next == group.entries.size()) continue;
    const EntryIndex entry = group.entries[group.next];
    const Key key{pending.entries[entry].urgency, tried.decayed_usage->share_of(queue_, group.user), entry};
    if (best && *best < key) continue;
    best = key;
    head_user_ = i;
  }
  head_ = best ? std::get<EntryIndex>(*best) : kNone;
}

}  // namespace ym::engine
