// fits: whether a decision that was taken on an earlier state still holds.
#include <fmt/format.h>

#include <algorithm>

#include "engine/engine.h"
#include "engine/objections.h"
#include "engine/preemption/lawful.h"
#include "engine/quota/over_quota.h"
#include "engine/trial.h"

namespace ym::engine {
namespace {

// Whether the job could run there: at once, or when stopping jobs have left. It would start at `begins`.
Objection run_objects(const State::Impl& state, JobId job, const Place& place, When when, Instant now, Instant begins) {
  const Shape& shape = state.shape_of(*state.jobs.find(job));
  if (auto objection = size_objects(shape, place.placement.size())) return objection;
  const Shape sized = shape.sized(static_cast<std::int32_t>(place.placement.size()));
  if (auto objection = quota_objects(state, sized, place.flavor, when)) return objection;
  if (auto objection = limit_objects(state, job, sized)) return objection;
  if (auto objection = budget_objects(state, job, sized, place.flavor, now)) return objection;
  if (auto objection = window_objects(state, job, place, begins)) return objection;
  return gang_objects(state, place, shape, when);
}

// Whether the admission uses the whole nominated placement.
bool uses_nomination(const State::Impl& state, const Nomination& held, const Admission& admission) {
  const Inventory& inventory = state.inventory;
  return admission.cluster == inventory.cluster_names[held.cluster] &&
         admission.flavor == inventory.name_of(held.flavors) &&
         std::ranges::all_of(held.tasks, [&](const LiveTask& task) {
           return std::ranges::any_of(admission.placement, [&](const TaskPlacement& placed) {
             return inventory.node_names[task.node] == placed.node && task.devices == placed.devices;
           });
         });
}

Objection objection_to(State::Impl& state, const Admission& admission, Instant now) {
  if (auto objection = job_objects(state, admission.job)) return objection;
  const Place place{admission.cluster, admission.flavor, admission.placement};
  const Nomination* held = state.holds.find(admission.job);
  if (!held) return run_objects(state, admission.job, place, When::now, now, now);
  if (!uses_nomination(state, *held, admission))
    return fmt::format("another place is kept for job {}", to_string(admission.job));
  Trial trial(state);
  trial.lift(admission.job);
  return run_objects(state, admission.job, place, When::now, now, now);
}

// For a victim or an eviction: whether that attempt still runs.
template <class Stopped>
Objection attempt_objects(const State::Impl& state, const Stopped& stopped) {
  const LiveAttempt* attempt = state.live.find(stopped.job);
  if (attempt && attempt->number == stopped.attempt) return std::nullopt;
  return fmt::format("attempt {} of job {} has ended", stopped.attempt, to_string(stopped.job));
}

Objection victim_objects(const State::Impl& state, const Victim& victim) {
  if (auto objection = attempt_objects(state, victim)) return objection;
  if (!can_be_stopped(*state.jobs.find(victim.job), *state.live.find(victim.job)))
    return fmt::format("job {} cannot be stopped for others", to_string(victim.job));
  return std::nullopt;
}

// The jobs only move: that needs no right to what they have.
Objection moves_object(const State::Impl& state, Trial& trial, const Preemption& preemption) {
  const JobRow& job = *state.jobs.find(preemption.job);
  const Claimant claimant = Claimant::of(state, job, state.inventory.find_flavors(preemption.flavor));
  const Shape sized = claimant.shape.sized(static_cast<std::int32_t>(preemption.placement.size()));
  if (auto objection = quota_objects(state, sized, preemption.flavor, When::later)) return objection;
  for (const Victim& victim : preemption.victims) {
    if (auto objection = victim_objects(state, victim)) return objection;
    const bool is_fenced = is_fenced_off(claimant, state.live.find(victim.job)->queue);
    if (is_fenced || state.jobs.find(victim.job)->priority > job.priority)
      return fmt::format("job {} may not be moved for it", to_string(victim.job));
    trial.depart(victim.job);
  }
  return std::nullopt;
}

Objection rights_object(State::Impl& state, Trial& trial, const Preemption& preemption) {
  if (preemption.cause == Preemption::Cause::consolidation) return moves_object(state, trial, preemption);
  std::vector<Subject> victims;
  for (const Victim& victim : preemption.victims) {
    if (auto objection = victim_objects(state, victim)) return objection;
    victims.push_back({.job = victim.job, .row = state.jobs.find(victim.job), .place = state.live.find(victim.job)});
  }
  const Flavors flavors = state.inventory.find_flavors(preemption.flavor);
  const Claimant claimant = Claimant::of(state, *state.jobs.find(preemption.job), flavors);
  const auto unlawful = depart_lawfully(trial, claimant, victims, Own::aside);
  if (!unlawful) return std::nullopt;
  if (unlawful->job) return fmt::format("job {} may not be stopped for it", to_string(unlawful->job));
  return fmt::format("queue {} would use more than its nominal quota", state.queue_names[claimant.shape.queue]);
}

// Precondition: the place exists.
Grant grant_of(const State::Impl& state, JobId job, const Place& place) {
  const Inventory& inventory = state.inventory;
  Grant grant{.job = state.jobs.slot(job),
              .flavors = inventory.find_flavors(place.flavor),
              .cluster = inventory.cluster_names.find(place.cluster),
              .nodes = {},
              .bits = {}};
  for (const TaskPlacement& placed : place.placement) {
    grant.nodes.push_back(inventory.node_names.find(placed.node));
    grant.bits.push_back(inventory.device_bits(grant.nodes.back(), placed.devices));
  }
  return grant;
}

// Jobs that continue on fewer nodes have their places beside the preempting job. Precondition: its placement is
// nominated.
Objection smaller_object(State::Impl& state, Trial& trial, const Preemption& preemption, Instant now) {
  const Inventory& inventory = state.inventory;
  for (const Victim& victim : preemption.victims) {
    if (victim.goes_on.empty()) continue;
    const NodeIndex first = inventory.node_names.find(victim.goes_on.front().node);
    if (first == kNone || !inventory.rows[first]) return fmt::format("node {} is gone", victim.goes_on.front().node);
    const std::string flavor = inventory.name_of(state.live.find(victim.job)->flavors);
    const Place place{inventory.cluster_names[inventory.cluster[first]], flavor, victim.goes_on};
    const Shape& shape = state.shape_of(*state.jobs.find(victim.job));
    if (auto objection = size_objects(shape, place.placement.size())) return objection;
    const Shape sized = shape.sized(static_cast<std::int32_t>(place.placement.size()));
    if (auto objection = quota_objects(state, sized, place.flavor, When::later)) return objection;
    if (auto objection = window_objects(state, victim.job, place, after(now, preemption.kept_for))) return objection;
    if (auto objection = gang_objects(state, place, shape, When::later)) return objection;
    trial.keep({.place = grant_of(state, victim.job, place)});
  }
  return std::nullopt;
}

Objection objection_to(State::Impl& state, const Preemption& preemption, Instant now) {
  if (auto objection = job_objects(state, preemption.job)) return objection;
  if (state.holds.find(preemption.job)) return fmt::format("a place is kept for job {}", to_string(preemption.job));
  Trial trial(state);
  if (auto objection = rights_object(state, trial, preemption)) return objection;
  const Place place{preemption.cluster, preemption.flavor, preemption.placement};
  if (auto objection = run_objects(state, preemption.job, place, When::later, now, now)) return objection;
  trial.keep({.place = grant_of(state, preemption.job, place)});
  return smaller_object(state, trial, preemption, now);
}

// A smaller part of its own place makes nothing worse, even if other jobs still exceed the quota.
Objection part_objects(const State::Impl& state, const Eviction& eviction, Instant now) {
  const Inventory& inventory = state.inventory;
  const LiveAttempt& attempt = *state.live.find(eviction.job);
  for (const TaskPlacement& placed : eviction.goes_on) {
    const NodeIndex node = inventory.node_names.find(placed.node);
    if (node == kNone || !inventory.rows[node]) return fmt::format("node {} is gone", placed.node);
    const auto had = std::ranges::find(attempt.tasks, node, &LiveTask::node);
    if (had == attempt.tasks.end() || had->devices != placed.devices)
      return fmt::format("job {} does not have that of node {}", to_string(eviction.job), placed.node);
  }
  if (eviction.goes_on.size() >= attempt.tasks.size())
    return fmt::format("job {} would not be smaller", to_string(eviction.job));
  const Place place{inventory.cluster_names[inventory.cluster[attempt.tasks[TaskIndex{0}].node]],
                    inventory.name_of(attempt.flavors), eviction.goes_on};
  if (auto objection = size_objects(state.shape_of(*state.jobs.find(eviction.job)), place.placement.size()))
    return objection;
  return window_objects(state, eviction.job, place, after(now, eviction.kept_for));
}

Objection objection_to(const State::Impl& state, const Eviction& eviction, Instant now) {
  if (auto objection = attempt_objects(state, eviction)) return objection;
  const LiveAttempt* attempt = state.live.find(eviction.job);
  if (attempt->stopping) return fmt::format("job {} stops already", to_string(eviction.job));
  if (eviction.cause == Eviction::Cause::shrink) {
    if (!is_overdrawn_by(state, *attempt))
      return fmt::format("there is quota for job {} again", to_string(eviction.job));
    return eviction.goes_on.empty() ? std::nullopt : part_objects(state, eviction, now);
  }
  if (state.stops.drained_by(attempt->queue) == kNone)
    return fmt::format("queue {} is not drained any more", eviction.queue);
  return std::nullopt;
}

Objection objection_to(State::Impl& state, const Resize& resize, Instant now) {
  const Victim itself{.job = resize.job, .attempt = resize.attempt, .lost_gpu_ms = resize.lost_gpu_ms};
  if (auto objection = victim_objects(state, itself)) return objection;
  if (state.live.find(resize.job)->tasks.size() >= resize.placement.size())
    return fmt::format("job {} is as large already", to_string(resize.job));
  Trial trial(state);
  trial.depart(resize.job);
  return run_objects(state, resize.job, {resize.cluster, resize.flavor, resize.placement}, When::later, now,
                     after(now, resize.kept_for));
}

Objection objection_to(const State::Impl& state, const NominationRelease& release, Instant) {
  if (!state.jobs.find(release.job)) return fmt::format("job {} has ended", to_string(release.job));
  if (!state.holds.find(release.job)) return fmt::format("no place is kept for job {}", to_string(release.job));
  return std::nullopt;
}

Objection objection_to(const State::Impl& state, const Deferral& deferral, Instant) {
  return job_objects(state, deferral.job);
}

}  // namespace

std::optional<std::string> fits(const State& state, const Decision& decision, Instant now) {
  return std::visit([&](const auto& one) { return objection_to(state.scratch(), one, now); }, decision);
}

}  // namespace ym::engine
