#include "engine/reserve/reservations.h"

#include <algorithm>

namespace ym::engine {

Reservations::Reservations(const State::Impl& state, FreeIntervals& free_intervals, const Policy& policy, Instant now)
    : state_(state), calendar_(state, policy, now), windows_(state, now), free_intervals_(free_intervals) {}

const NodeNeed& Booking::on(NodeIndex node) const {
  if (need.parts.empty()) return need.task;
  return need.part_at(TaskIndex(std::ranges::find(nodes, node) - nodes.begin())).task;
}

void Reservations::clear() {
  for (const Booking& booking : bookings_)
    for (const NodeIndex node : booking.nodes) {
      here_[node].clear();
      turns_[node].clear();
      booked_[node] = kNone;
    }
  booked_nodes_.clear();
  memo_.clear();
  bookings_.clear();
  quota_from_ = kNever;
}

void Reservations::promise(NodeIndex node, const FreeIntervals::Promise& promise) {
  BookedIndex& booked = booked_[node];
  if (booked == kNone) booked = booked_nodes_.push_back({.node = node});
  FreeIntervals::Promises& promises = booked_nodes_[booked].promises;
  promises = free_intervals_.with(node, promises, promise);
  const auto add = [&](const BookedChange& turn) {
    BookedChanges& turns = turns_[node];
    turns.insert(std::ranges::upper_bound(turns, turn.at(), {}, &BookedChange::at), turn);
  };
  add(BookedChange::beginning(promise.from, promise.need));
  if (promise.until != kNoMinute) add(BookedChange::ending(promise.until, promise.need));
}

void Reservations::add(Booking booking) {
  here_.resize(state_.inventory.rows.size());
  turns_.resize(state_.inventory.rows.size());
  booked_.resize(state_.inventory.rows.size());
  std::optional<FreeIntervals::PromisedNeed> need;  // the same for all tasks, unless there are several parts
  for (const TaskIndex task : indices<TaskIndex>(booking.nodes.size())) {
    const NodeIndex node = booking.nodes[task.value];
    if (!need || !booking.need.parts.empty()) need = free_intervals_.need_index(booking.need.part_at(task).task);
    here_[node].push_back(bookings_.end_index());
    promise(node, {.need = *need, .from = booking.from, .until = booking.until});
  }
  memo_.add(booking);
  if (booking.root != kNone) quota_from_ = std::min(quota_from_, calendar_.instant_of(booking.from));
  bookings_.push_back(std::move(booking));
}

bool Reservations::is_respected(const Booking& booking, const Walltime& walltime) const {
  const Instant from = calendar_.instant_of(booking.from);
  if (walltime.until <= from) return false;
  const bool yields = walltime.claims.queue == booking.holder.queue && walltime.yields_by <= from &&
                      may_stop(booking.rule, booking.holder, walltime.claims);
  return !yields;
}

bool Reservations::counts_on_quota(QueueIndex root, const Walltime& walltime, Slot own) const {
  return walltime.until > quota_from_ && std::ranges::any_of(bookings_, [&](const Booking& booking) {
           return booking.root != kNone && booking.root == root && booking.slot != own &&
                  is_respected(booking, walltime);
         });
}

namespace {

// It is not known which device a task will share, and with which tasks: so it costs the worst case. That only matters
// to tasks that want whole GPUs.
NodeNeed at_worst(NodeNeed need, bool others_want_gpus) {
  if (need.shares()) need.devices = others_want_gpus ? 1 : 0;
  need.part = {};
  return need;
}

}  // namespace

// Free capacity only grows, so it is smallest when another reservation begins.
bool Reservations::in_way(NodeIndex node, const NodeNeed& need, const Walltime& walltime, Slot own) const {
  if (windows_.closing(node, walltime.until, walltime.pass)) return true;
  if (!is_booked(node)) return false;
  const auto counts = [&](const Booking& booking) { return booking.slot != own && is_respected(booking, walltime); };
  return std::ranges::any_of(here_[node], [&](BookingIndex begins) {
    const Minute from = bookings_[begins].from;
    if (!counts(bookings_[begins])) return false;
    Free left = calendar_.at(calendar_.steps(node), node, from, need.profile);
    Booked booked;
    bool others_want_gpus = false;
    for (const BookingIndex one : here_[node]) {
      const Booking& other = bookings_[one];
      if (other.from > from || from >= other.until || !counts(other)) continue;
      const NodeNeed& asked = other.on(node);
      booked.add(asked, need.profile);
      others_want_gpus = others_want_gpus || (asked.asks_for_devices() && asked.profile == kNone);
    }
    left -= booked;
    return !left.covers(at_worst(need, others_want_gpus));
  });
}

}  // namespace ym::engine
