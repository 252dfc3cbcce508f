// The books of nodes, quota, limits and budgets: entries and their removal.
#include <algorithm>

#include "base/assert.h"
#include "engine/state/impl.h"

namespace ym::engine {

Cost State::Impl::cost_of(const Footprint& place, Duration time) const {
  Cost cost;
  for (const FlavorIndex flavor : place.flavors.each()) {
    const std::int64_t price = place.prices_micros.empty()
                                   ? inventory.price_micros_per_gpu_hour(flavor)
                                   : place.prices_micros[place.flavors.first_part_of(flavor).value];
    cost += ym::cost_of(place.in(flavor)[ResourceKind::gpus], time, price);
  }
  return cost;
}

Cost State::Impl::most_cost(Slot job, const Footprint& place) const {
  const auto& limit = jobs[job].time_limit;
  return limit ? cost_of(place, *limit) : Cost{};
}

void State::Impl::settle_cost(const LiveAttempt& ended, Instant now) {
  const Duration ran = ended.started_at && now > *ended.started_at ? now - *ended.started_at : Duration{};
  const Cost cost = cost_of(ended, ran);
  if (cost.gpu_ms == 0) return;
  settle(spending, queue_names[ended.queue], ended.admitted_at, cost);
  if (quota_is_current()) budgets.add(ended.queue, ended.admitted_on, cost);
}

void State::Impl::drop_old_spending(Instant now) {
  if (quota_is_current() && budgets.any())
    for (const auto& [name, row] : spending)
      if (is_old(row, now)) budgets.remove(queue_names.find(row.queue), row.day, row.cost);
  drop_old(spending, now);
}

// If this is the job's live attempt, note_ending sets what is known of its end.
void State::Impl::take(Slot job, const Footprint& place) {
  for_each(place, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.add(inventory.used, task.node, need, task.bits);
  });
  allocations.enter(job, place, {.limit = jobs[job].time_limit, .grace = jobs[job].grace});
  touch(place);
  // A rebuild charges all that jobs hold.
  if (!quota_is_current()) return;
  limits.add(place.queue, jobs[job].user, place.total()[ResourceKind::gpus], jobs[job].array);
  if (budgets.any()) budgets.add(place.queue, place.admitted_on, most_cost(job, place));
  charge(in_use, place);
  charge_later(job, place);
}

void State::Impl::give_back(Slot job, const Footprint& place, bool was_leaving) {
  for_each(place, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.remove(inventory.used, task.node, need, task.bits);
    if (was_leaving) inventory.remove(inventory.leaving, task.node, need, task.bits);
  });
  allocations.leave(job, place);
  touch(place);
  if (!quota_is_current()) return;
  limits.remove(place.queue, jobs[job].user, place.total()[ResourceKind::gpus], jobs[job].array);
  if (budgets.any()) budgets.remove(place.queue, place.admitted_on, most_cost(job, place));
  refund(in_use, place);
  if (!was_leaving) refund_later(job, place);
}

void State::Impl::charge_later(Slot job, const Footprint& place) {
  for (QuotaTree* tree : {&quota, &claimed, &promised}) charge(*tree, place);
  const auto found = bequests.find(job);
  if (found == bequests.end()) return;
  found->second.is_gone = false;
  for (const Inherited& part : found->second.parts) promised.remove(part.queue, part.flavor, part.amounts);
}

void State::Impl::refund_later(Slot job, const Footprint& place) {
  if (const auto found = bequests.find(job); found != bequests.end()) {
    found->second.is_gone = true;
    for (const Inherited& part : found->second.parts) promised.add(part.queue, part.flavor, part.amounts);
  }
  for (QuotaTree* tree : {&quota, &claimed, &promised}) refund(*tree, place);
}

void State::Impl::inherit(const Inherited& part) {
  Bequest& bequest = bequests[part.slot];
  YM_ASSERT(!bequest.is_gone);
  bequest.parts.push_back(part);
  promised.remove(part.queue, part.flavor, part.amounts);
}

void State::Impl::disinherit(const Inherited& part) {
  const auto found = bequests.find(part.slot);
  YM_ASSERT(found != bequests.end());
  Bequest& bequest = found->second;
  const auto same = std::ranges::find_if(
      bequest.parts, [&](const Inherited& one) { return one.flavor == part.flavor && one.amounts == part.amounts; });
  YM_ASSERT(same != bequest.parts.end());
  bequest.parts.erase(same);
  if (!bequest.is_gone) promised.add(part.queue, part.flavor, part.amounts);
  if (bequest.parts.empty()) bequests.erase(found);
}

ResourceVector State::Impl::inherited_of(Slot slot, FlavorIndex flavor) const {
  ResourceVector amounts;
  const auto found = bequests.find(slot);
  if (found == bequests.end()) return amounts;
  for (const Inherited& part : found->second.parts)
    if (part.flavor == flavor) amounts += part.amounts;
  return amounts;
}

void State::Impl::note_ending(JobId job, const LiveAttempt& attempt) {
  Ending& ending = allocations.allocation(jobs.slot(job)).ending;
  ending.started_at = attempt.started_at;
  ending.admitted_at = attempt.admitted_at;
  ending.stop_by = attempt.stop_by;
  ending.leaving = attempt.leaving;
  touch(attempt);
}

void State::Impl::touch(const Footprint& place) {
  touched.resize(inventory.rows.size());
  ++touches;
  for (const LiveTask& task : place.tasks) {
    ++touched[task.node];
    touch_log.add(task.node);
  }
}

void State::Impl::set_leaving(JobId job, bool now_leaving) {
  LiveAttempt& attempt = live.at(job);
  if (attempt.leaving == now_leaving) return;
  attempt.leaving = now_leaving;
  allocations.allocation(jobs.slot(job)).ending.leaving = now_leaving;
  touch(attempt);
  now_leaving ? ++leaving : --leaving;
  for_each(attempt, [&](const LiveTask& task, const NodeNeed& need) {
    if (now_leaving) inventory.add(inventory.leaving, task.node, need, task.bits);
    else inventory.remove(inventory.leaving, task.node, need, task.bits);
  });
  if (!quota_is_current()) return;
  if (now_leaving) refund_later(jobs.slot(job), attempt);
  else charge_later(jobs.slot(job), attempt);
}

// A running job counts once: as it runs or as it will run, whichever is larger.
std::int64_t State::Impl::gpus_beyond(const LiveAttempt& live, const Footprint& place) {
  return std::max<std::int64_t>(0, place.total()[ResourceKind::gpus] - live.total()[ResourceKind::gpus]);
}

void State::Impl::count_kept(Slot job, const Footprint& place) {
  const UserIndex user = jobs[job].user;
  if (const LiveAttempt* own = live.find(jobs[job].id)) limits.add_gpus(place.queue, user, gpus_beyond(*own, place));
  else limits.add(place.queue, user, place.total()[ResourceKind::gpus], jobs[job].array);
  if (budgets.any()) budgets.add(place.queue, kToday, most_cost(job, place));
}

void State::Impl::uncount_kept(Slot job, const Footprint& place) {
  const UserIndex user = jobs[job].user;
  if (const LiveAttempt* own = live.find(jobs[job].id)) limits.add_gpus(place.queue, user, -gpus_beyond(*own, place));
  else limits.remove(place.queue, user, place.total()[ResourceKind::gpus], jobs[job].array);
  if (budgets.any()) budgets.remove(place.queue, kToday, most_cost(job, place));
}

void State::Impl::keep(Slot job, const Footprint& place, bool expected) {
  for_each(place, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.add(inventory.held, task.node, need, task.bits);
  });
  touch(place);
  if (!quota_is_current()) return;
  for (QuotaTree* tree : {&claimed, &promised}) charge(*tree, place);
  if (expected) return;
  charge(quota, place);
  count_kept(job, place);
}

void State::Impl::unkeep(Slot job, const Footprint& place, bool expected) {
  for_each(place, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.remove(inventory.held, task.node, need, task.bits);
  });
  touch(place);
  if (!quota_is_current()) return;
  for (QuotaTree* tree : {&claimed, &promised}) refund(*tree, place);
  if (expected) return;
  refund(quota, place);
  uncount_kept(job, place);
}

void State::Impl::mark_overdue(const LiveAttempt& attempt) {
  for_each(attempt, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.remove(inventory.leaving, task.node, need, task.bits);
  });
  touch(attempt);
  for (QuotaTree* tree : {&claimed, &promised}) charge(*tree, attempt);
}

void State::Impl::clear_overdue(const LiveAttempt& attempt) {
  for_each(attempt, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.add(inventory.leaving, task.node, need, task.bits);
  });
  touch(attempt);
  for (QuotaTree* tree : {&claimed, &promised}) refund(*tree, attempt);
}

}  // namespace ym::engine
