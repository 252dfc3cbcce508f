// AdvanceReservations: the advance reservations (model/reservation.h) that are not over, as a cycle needs them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "engine/reserve/walltime.h"
#include "engine/state/impl.h"
#include "model/reservation.h"

namespace ym::engine {

// Whether the reservation lets in jobs of the user in the queue.
bool lets_in(const State::Impl& state, const AdvanceReservation& row, QueueIndex queue, UserIndex user);

using WindowIndex = StrongIndex<struct WindowTag>;  // of an advance reservation

// For one cycle, with the state's queues and users as of its construction. Caches results, so it is for one thread,
// like the state.
class AdvanceReservations {
 public:
  AdvanceReservations(const State::Impl& state, Instant now);

  bool any() const { return !rows_.empty(); }
  // By begin, then by name.
  const IndexedVector<WindowIndex, const AdvanceReservation*>& all() const { return rows_; }
  // For a job of the user in the queue.
  Pass pass_of(QueueIndex queue, UserIndex user) const;
  bool lets_in(WindowIndex window, Pass pass) const { return passes_[pass][window]; }
  // Whether any node is closed, before `until`, to a job with this pass.
  bool closes_any(Instant until, Pass pass) const;
  // The first reservation that closes this node; null: none.
  const AdvanceReservation* closing(NodeIndex node, Instant until, Pass pass) const;
  std::span<const WindowIndex> on_node(NodeIndex node) const;

 private:
  const State::Impl& state_;
  IndexedVector<WindowIndex, const AdvanceReservation*> rows_;
  IndexedVector<NodeIndex, std::vector<WindowIndex>> by_node_;  // empty: there are none at all
  mutable IndexedVector<Pass, IndexedVector<WindowIndex, bool>> passes_;
  mutable std::map<std::pair<QueueIndex, UserIndex>, Pass> known_;  // by queue and user
  mutable std::map<std::vector<bool>, Pass> by_set_;
};

}  // namespace ym::engine
