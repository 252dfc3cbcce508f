// The books of what is taken, of nodes, quota, limits and budgets: what enters and leaves them.
#include <algorithm>

#include "engine/state/impl.h"

namespace ym::engine {

Cost State::Impl::most_cost(Index job, const Footprint& place) const {
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

// What is known of its end follows when it is the job's live attempt.
void State::Impl::take(Index job, const Footprint& place) {
  for_each(place, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.add(inventory.used, task.node, need, task.bits);
  });
  stays.enter(job, place, {.limit = jobs[job].time_limit, .grace = jobs[job].grace});
  touch(place);
  // A rebuild charges all that is held.
  if (!quota_is_current()) return;
  limits.add(place.queue, jobs[job].user, place.total()[ResourceKind::gpus]);
  if (budgets.any()) budgets.add(place.queue, place.admitted_on, most_cost(job, place));
  for (QuotaTree* tree : {&quota, &in_use, &claimed, &promised}) charge(*tree, place);
}

void State::Impl::give_back(Index job, const Footprint& place, bool was_leaving) {
  for_each(place, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.remove(inventory.used, task.node, need, task.bits);
    if (was_leaving) inventory.remove(inventory.leaving, task.node, need, task.bits);
  });
  stays.leave(job, place);
  touch(place);
  if (!quota_is_current()) return;
  limits.remove(place.queue, jobs[job].user, place.total()[ResourceKind::gpus]);
  if (budgets.any()) budgets.remove(place.queue, place.admitted_on, most_cost(job, place));
  refund(in_use, place);
  if (was_leaving) return;
  for (QuotaTree* tree : {&quota, &claimed, &promised}) refund(*tree, place);
}

void State::Impl::note_ending(JobId job, const LiveAttempt& attempt) {
  Ending& ending = stays.tenant(jobs.slot(job)).ending;
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
  stays.tenant(jobs.slot(job)).ending.leaving = now_leaving;
  touch(attempt);
  now_leaving ? ++leaving : --leaving;
  for_each(attempt, [&](const LiveTask& task, const NodeNeed& need) {
    if (now_leaving) inventory.add(inventory.leaving, task.node, need, task.bits);
    else inventory.remove(inventory.leaving, task.node, need, task.bits);
  });
  if (!quota_is_current()) return;
  for (QuotaTree* tree : {&quota, &claimed, &promised})
    if (now_leaving) refund(*tree, attempt);
    else charge(*tree, attempt);
}

// Who runs counts as one job, and by what is more: as it runs, or as it will.
std::int64_t State::Impl::gpus_beyond(const LiveAttempt& live, const Footprint& place) {
  return std::max<std::int64_t>(0, place.total()[ResourceKind::gpus] - live.total()[ResourceKind::gpus]);
}

void State::Impl::count_kept(Index job, const Footprint& place) {
  const Index user = jobs[job].user;
  if (const LiveAttempt* own = live.find(jobs[job].id)) limits.add_gpus(place.queue, user, gpus_beyond(*own, place));
  else limits.add(place.queue, user, place.total()[ResourceKind::gpus]);
  if (budgets.any()) budgets.add(place.queue, kToday, most_cost(job, place));
}

void State::Impl::uncount_kept(Index job, const Footprint& place) {
  const Index user = jobs[job].user;
  if (const LiveAttempt* own = live.find(jobs[job].id)) limits.add_gpus(place.queue, user, -gpus_beyond(*own, place));
  else limits.remove(place.queue, user, place.total()[ResourceKind::gpus]);
  if (budgets.any()) budgets.remove(place.queue, kToday, most_cost(job, place));
}

void State::Impl::keep(Index job, const Footprint& place, bool expected) {
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

void State::Impl::unkeep(Index job, const Footprint& place, bool expected) {
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

void State::Impl::doubt(const LiveAttempt& attempt) {
  for_each(attempt, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.remove(inventory.leaving, task.node, need, task.bits);
  });
  touch(attempt);
  for (QuotaTree* tree : {&claimed, &promised}) charge(*tree, attempt);
}

void State::Impl::trust(const LiveAttempt& attempt) {
  for_each(attempt, [&](const LiveTask& task, const NodeNeed& need) {
    inventory.add(inventory.leaving, task.node, need, task.bits);
  });
  touch(attempt);
  for (QuotaTree* tree : {&claimed, &promised}) refund(*tree, attempt);
}

}  // namespace ym::engine
