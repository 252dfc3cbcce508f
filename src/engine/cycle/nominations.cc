// Nominated placements: the job starts there when all of it is free. The placement is released when it cannot be used.
#include <fmt/format.h>

#include <algorithm>

#include "engine/cycle/cycle.h"
#include "engine/cycle/reserve.h"
#include "engine/cycle/stop/size.h"
#include "engine/objections.h"

namespace ym::engine {
namespace {

constexpr const char* kExpired = "the time for which the place was kept is over";

// The admission that a nominated placement is to become.
Admission admission_into(const Inventory& inventory, JobId job, const Nomination& held) {
  Admission admission{.job = job,
                      .cluster = inventory.cluster_names[held.cluster],
                      .flavor = inventory.name_of(held.flavors),
                      .placement = {}};
  for (const LiveTask& task : held.tasks)
    admission.placement.push_back({.task = static_cast<std::int32_t>(admission.placement.size()),
                                   .node = inventory.node_names[task.node],
                                   .devices = task.devices});
  return admission;
}

Objection nomination_objects(const Inputs& in, const PendingEntries& pending, const Tried& tried, Rank rank,
                             const Nomination& held) {
  if (held.expires_at <= in.now) return kExpired;
  const Admission admission = admission_into(in.state.inventory, job_of(in, pending, rank).id, held);
  const Place place{admission.cluster, admission.flavor, admission.placement};
  if (auto objection = place_is_gone(in.state, place, shape_of(in, pending, rank))) return objection;
  const Walltime walltime = walltime_of(in, pending, tried, rank);
  for (const LiveTask& task : held.tasks)
    if (const auto* reservation =
            tried.reservations.advance_reservations().closing(task.node, walltime.until, walltime.pass))
      return fmt::format("reservation {} sets a node of it aside", reservation->name);
  if (!in.policy.quota_phase) return std::nullopt;
  return quota_is_gone(in.state, place, shape_of(in, pending, rank));
}

bool all_is_free(const Inputs& in, const PendingEntries& pending, Rank rank, const Place& place) {
  const Shape& shape = shape_of(in, pending, rank);
  const Shape sized = shape.sized(static_cast<std::int32_t>(place.placement.size()));
  if (in.policy.quota_phase && quota_objects(in.state, sized, place.flavor, When::now)) return false;
  if (limit_hit(in, pending, rank, sized.nodes)) return false;
  const Flavors flavors = in.state.inventory.find_flavors(place.flavor);
  if (budget_hit(in, pending, rank, flavors, sized.nodes)) return false;
  return !gang_objects(in.state, place, shape, When::now);
}

Grant grant_of(Slot job, const Nomination& held) {
  Grant grant{.job = job, .flavors = held.flavors, .cluster = held.cluster, .nodes = {}, .bits = {}};
  for (const LiveTask& task : held.tasks) {
    grant.nodes.push_back(task.node);
    grant.bits.push_back(task.bits);
  }
  return grant;
}

void release_if_gone(Cycle& cycle, Rank rank) {
  const JobId job = cycle.job(rank).id;
  const Nomination& held = *cycle.in.state.nominations.find(job);
  auto why = nomination_objects(cycle.in, cycle.pending, cycle.tried, rank, held);
  if (!why) return cycle.out.wake_at(held.expires_at);
  cycle.tried.trial.end_nomination(job);
  cycle.out.plan.decisions.emplace_back(NominationRelease{.job = job, .why = std::move(*why)});
  cycle.entry(rank).status = status_of(cycle.in, cycle.job(rank));
}

// Releases the expired placements of jobs that are to go on there and are still running.
void release_expired_of_live(const Inputs& in, Tried& tried, Output& out) {
  for (const auto& [job, held] : in.state.nominations) {
    if (!in.state.live.find(job)) continue;
    if (held.expires_at > in.now) {
      out.wake_at(held.expires_at);
      continue;
    }
    tried.trial.end_nomination(job);
    out.plan.decisions.emplace_back(NominationRelease{.job = job, .why = kExpired});
  }
}

// A job with a nominated placement is admitted there before other jobs, and keeps nothing beside it.
void admit_if_free(Cycle& cycle, Rank rank) {
  const JobId job = cycle.job(rank).id;
  const Nomination& held = *cycle.in.state.nominations.find(job);
  Admission admission = admission_into(cycle.in.state.inventory, job, held);
  const auto mark = cycle.tried.trial.mark();
  cycle.tried.trial.end_nomination(job);
  if (!all_is_free(cycle.in, cycle.pending, rank, {admission.cluster, admission.flavor, admission.placement}))
    return cycle.tried.trial.roll_back(mark);
  cycle.tried.trial.take(grant_of(cycle.entry(rank).slot, held));
  cycle.tried.enter(cycle.in, cycle.entry(rank).slot,
                    {.place = static_cast<const Footprint&>(held),
                     .decision = cycle.out.plan.decisions.size(),
                     .into_nomination = true});
  cycle.out.plan.decisions.emplace_back(std::move(admission));
  cycle.entry(rank).status = EntryStatus::admitted;
}

}  // namespace

// The job grows only when it is its turn: capacity beside its place belongs to the jobs before it as well.
void grow(Cycle& cycle, Rank rank) {
  TentativeAdmission& tentative = cycle.tried.tentative.at(cycle.entry(rank).slot);
  const Shape& shape = cycle.shape(rank);
  if (std::exchange(tentative.was_tried, true) || !tentative.into_nomination ||
      std::cmp_greater_equal(tentative.place.tasks.size(), shape.most_nodes))
    return;
  if (auto larger = choose_larger(cycle.in, cycle.tried, cycle.entry(rank).slot, tentative.place,
                                  walltime_of(cycle.in, cycle.pending, cycle.tried, rank)))
    admit_larger(cycle, rank, std::move(*larger));
}

void settle_nominations(Cycle& cycle) {
  if (cycle.in.state.nominations.empty()) return;
  release_expired_of_live(cycle.in, cycle.tried, cycle.out);
  for (auto* settle : {release_if_gone, admit_if_free})
    for (const Rank rank : cycle.pending.order.indices())
      if (cycle.entry(rank).status == EntryStatus::kept) settle(cycle, rank);
}

}  // namespace ym::engine
