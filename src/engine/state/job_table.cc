#include "engine/state/job_table.h"

#include <algorithm>
#include <tuple>

#include "base/assert.h"

namespace ym::engine {
namespace {

Waiting waiting_of(JobState state) {
  if (state == JobState::held) return Waiting::held;
  return state == JobState::queued ? Waiting::queued : Waiting::no;
}

}  // namespace

void JobTable::add(const Job& job, ShapeIndex shape) {
  Slot slot = rows_.end_index();
  if (unused_.empty()) {
    rows_.emplace_back();
  } else {
    slot = unused_.back();
    unused_.pop_back();
  }
  rows_[slot] = {.id = job.id,
                 .submitted_at = job.submitted_at,
                 .waits_since = job.waits_since,
                 .arrived_at = job.arrived_at,
                 .stopped_at = job.preempted_at.empty() ? kNotStopped : job.preempted_at.front(),
                 .not_before = job.not_before,
                 .priority = job.priority,
                 .shape = shape,
                 .grace = job.spec->stop.grace,
                 .min_runtime = job.spec->stop.min_runtime,
                 .preemptible = job.spec->stop.preemptible,
                 .counts_preemptions = job.spec->retry.preempted_max != RetryPolicy::kUnlimited,
                 .waiting = waiting_of(job.state),
                 .cancel_requested = job.cancel_requested,
                 .pending = job.pending,
                 .time_limit = job.spec->time_limit,
                 .deadline = job.spec->deadline,
                 .attained_gpu_ms = job.attained_gpu_ms,
                 .predicted = job.predicted.to_optional()};
  const bool fresh = slots_.emplace(job.id, slot).second;
  YM_ASSERT(fresh);
  if (rows_[slot].waiting != Waiting::no) enter(slot);
}

ShapeIndex JobTable::remove(JobId id) {
  const Slot gone = slot(id);
  if (rows_[gone].waiting != Waiting::no) leave(gone);
  slots_.erase(id);
  unused_.push_back(gone);
  return rows_[gone].shape;
}

const JobRow* JobTable::find(JobId id) const {
  const auto it = slots_.find(id);
  return it == slots_.end() ? nullptr : &rows_[it->second];
}

Slot JobTable::slot(JobId id) const {
  const auto it = slots_.find(id);
  YM_ASSERT(it != slots_.end());
  return it->second;
}

void JobTable::set_waiting(JobId id, Waiting waiting) {
  const Slot changed = slot(id);
  const bool was = rows_[changed].waiting != Waiting::no;
  rows_[changed].waiting = waiting;
  if (was && waiting == Waiting::no) leave(changed);
  if (!was && waiting != Waiting::no) enter(changed);
}

void JobTable::set_priority(JobId id, std::int32_t priority) {
  const Waiting waiting = rows_[slot(id)].waiting;
  set_waiting(id, Waiting::no);
  rows_[slot(id)].priority = priority;
  set_waiting(id, waiting);
}

void JobTable::set_shape(JobId id, ShapeIndex shape) {
  const Waiting waiting = rows_[slot(id)].waiting;
  set_waiting(id, Waiting::no);
  rows_[slot(id)].shape = shape;
  set_waiting(id, waiting);
}

bool JobTable::before(Slot a, Slot b) const {
  const JobRow& x = rows_[a];
  const JobRow& y = rows_[b];
  return std::tuple(-std::int64_t{x.priority}, x.submitted_at, x.id) <
         std::tuple(-std::int64_t{y.priority}, y.submitted_at, y.id);
}

void JobTable::enter(Slot slot) {
  const ShapeIndex shape = rows_[slot].shape;
  waiting_of_.grow_to(shape);
  waiting_of_[shape] += 1;
  if (bulk_) return waiting_.push_back(slot);
  const auto place = std::ranges::upper_bound(waiting_, slot, [&](Slot a, Slot b) { return before(a, b); });
  waiting_.insert(place, slot);
}

void JobTable::leave(Slot slot) {
  const auto place = std::ranges::lower_bound(waiting_, slot, [&](Slot a, Slot b) { return before(a, b); });
  YM_ASSERT(place != waiting_.end() && *place == slot);
  waiting_.erase(place);
  waiting_of_[rows_[slot].shape] -= 1;
}

void JobTable::end_bulk() {
  bulk_ = false;
  std::ranges::sort(waiting_, [&](Slot a, Slot b) { return before(a, b); });
}

}  // namespace ym::engine
