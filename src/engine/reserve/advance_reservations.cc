#include "engine/reserve/advance_reservations.h"

#include <algorithm>
#include <tuple>

namespace ym::engine {

AdvanceReservations::AdvanceReservations(const State::Impl& state, Instant now) : state_(state) {
  for (const auto& [name, row] : state.reservations)
    if (row.until > now) rows_.push_back(&row);
  std::ranges::sort(rows_, {}, [](const AdvanceReservation* row) { return std::tie(row->from, row->name); });
  passes_.emplace_back(rows_.size(), false);
  by_set_.emplace(passes_[kNoPass].raw(), kNoPass);
  if (rows_.empty()) return;
  by_node_.resize(state.inventory.rows.size());
  for (const WindowIndex window : rows_.indices())
    for (const auto& name : rows_[window]->nodes)
      if (const NodeIndex node = state.inventory.node_names.find(name); node != kNone) by_node_[node].push_back(window);
}

bool lets_in(const State::Impl& state, const AdvanceReservation& row, QueueIndex queue, UserIndex user) {
  if (std::ranges::find(row.users, state.user_names[user]) != row.users.end()) return true;
  for (; queue != kNone; queue = state.quota.parent(queue))
    if (std::ranges::find(row.queues, state.queue_names[queue]) != row.queues.end()) return true;
  return false;
}

Pass AdvanceReservations::pass_of(QueueIndex queue, UserIndex user) const {
  if (rows_.empty()) return kNoPass;
  const auto [it, fresh] = known_.try_emplace({queue, user});
  if (!fresh) return it->second;
  IndexedVector<WindowIndex, bool> set;
  for (const auto* row : rows_) set.push_back(engine::lets_in(state_, *row, queue, user));
  const auto [pass, is_new] = by_set_.try_emplace(set.raw(), passes_.end_index());
  if (is_new) passes_.push_back(std::move(set));
  return it->second = pass->second;
}

bool AdvanceReservations::closes_any(Instant until, Pass pass) const {
  for (const WindowIndex window : rows_.indices())
    if (rows_[window]->from < until && !lets_in(window, pass)) return true;
  return false;
}

const AdvanceReservation* AdvanceReservations::closing(NodeIndex node, Instant until, Pass pass) const {
  for (const WindowIndex window : on_node(node))
    if (rows_[window]->from < until && !lets_in(window, pass)) return rows_[window];
  return nullptr;
}

std::span<const WindowIndex> AdvanceReservations::on_node(NodeIndex node) const {
  if (!by_node_.has(node)) return {};
  return by_node_[node];
}

}  // namespace ym::engine
