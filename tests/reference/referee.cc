#include "reference/referee.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/parts.h"
#include "reference/sized.h"
#include "reference/slices.h"

namespace ym::reference {
namespace {

bool leaves(const Attempt& attempt) {
  return attempt.state != AttemptState::ended && attempt.stop_cause && attempt.state != AttemptState::unknown;
}

}  // namespace

Job smallest(const Job& job) {
  JobSpec spec = *job.spec;
  spec.nodes = spec.smallest();
  spec.min_nodes.reset();
  Job other = job;
  other.spec = std::make_shared<const JobSpec>(std::move(spec));
  return other;
}

ResourceVector total(const Job& job, const std::vector<TaskPlacement>& placement) {
  return job.spec->total(std::ssize(placement));
}

namespace {

bool has_quota(const Tables& tables, const Use& use, const Job& job, const std::string& flavors, std::size_t tasks) {
  return NaiveQuota(tables.queues, use).covers_now(sized(job, static_cast<std::int32_t>(tasks)), flavors);
}

}  // namespace

// A job that is overdue for longer than the margin is not counted on: it is still there.
bool Referee::is_counted_on(const Attempt& attempt) const {
  return leaves(attempt) && (!attempt.stop_by || *attempt.stop_by + policy_.hold_margin > now_);
}

void Referee::fill(Machines& machines, Use& use, View view, const Jobs& gone, JobId job) const {
  const auto has_left = [&](const Attempt& attempt) {
    if (view == View::now) return false;
    return gone.contains(attempt.job) || (view == View::rights ? leaves(attempt) : is_counted_on(attempt));
  };
  for (const auto& [key, attempt] : t_.attempts) {
    if (attempt.state == AttemptState::ended || has_left(attempt)) continue;
    const Job& owner = t_.jobs.at(key.job);
    machines.take(*owner.spec, attempt.placement);
    charge(use, owner, attempt.queue, attempt.flavor, attempt.placement.size());
  }
  for (const auto& [id, holder] : t_.jobs) {
    if (view == View::now || !holder.nomination || id == job) continue;
    machines.take(*holder.spec, holder.nomination->placement);
    charge(use, holder, holder.queue, holder.nomination->flavor, holder.nomination->placement.size());
  }
}

namespace {

// The placement may be larger than the nominated placement.
bool contains_nomination(const engine::Admission& admission, const NominatedPlacement& nomination) {
  return nomination.flavor == admission.flavor && nomination.cluster == admission.cluster &&
         std::ranges::all_of(nomination.placement, [&](const TaskPlacement& kept) {
           return std::ranges::any_of(admission.placement, [&](const TaskPlacement& placed) {
             return placed.node == kept.node && placed.devices == kept.devices;
           });
         });
}

}  // namespace

bool Referee::in_whole_slices(const Machines& machines, const Job& job,
                              const std::vector<TaskPlacement>& placement) const {
  std::vector<const Node*> nodes;
  for (const TaskPlacement& placed : placement) nodes.push_back(&t_.nodes.at(placed.node));
  return are_in_slices(machines, job, nodes);
}

// Both views are checked: an admission needs room in each.
std::optional<std::string> Referee::objection(const engine::Admission& admission) const {
  const Job& job = t_.jobs.at(admission.job);
  if (job.state != JobState::queued || job.cancel_requested) return "it does not wait";
  if (is_stopped(t_, job.queue)) return "its queue is held";
  if (job.nomination && !contains_nomination(admission, *job.nomination)) return "another place is kept for it";
  // As in engine::fits: all stopping jobs have left.
  for (const View view : {View::now, View::rights}) {
    Machines machines(t_);
    Use use;
    fill(machines, use, view, {}, job.id);
    const auto group = machines.group(job, t_.nodes.at(admission.placement.front().node));
    if (!in_whole_slices(machines, job, admission.placement)) return "it is not in slices";
    for (const auto& placed : admission.placement) {
      const Node& node = t_.nodes.at(placed.node);
      if (!group || machines.group(job, node) != group) return "it is not in one domain";
      const Part part = part_with(job, admission.flavor, std::ssize(admission.placement), placed.task);
      if (!machines.rules_allow(part.job, node, part.flavor) || !machines.in_service(node))
        return "a node is not for it";
      if (!machines.has_room(part.job, node))
        return fmt::format("no room on {}, view {}", placed.node, static_cast<int>(view));
      if (!machines.may_have(part.job, placed))
        return fmt::format("a device of {} is not free, view {}", placed.node, static_cast<int>(view));
    }
    if (!has_quota(t_, use, job, admission.flavor, admission.placement.size()))
      return fmt::format("no quota, view {}", static_cast<int>(view));
  }
  return std::nullopt;
}

std::optional<std::string> Referee::objection(const engine::Eviction& eviction) const {
  const Attempt* attempt = t_.live_attempt(eviction.job);
  if (!attempt || attempt->number != eviction.attempt) return "it does not run";
  if (leaves(*attempt)) return "it leaves already";
  if (!has_policy(t_, attempt->queue, StopPolicy::hold_and_drain)) return "its queue is not drained";
  return std::nullopt;
}

std::optional<std::string> Referee::objection(const engine::Resize& resize) const {
  if (!may_be_stopped(resize.job) || attempt_of(resize.job).number != resize.attempt) return "it cannot be stopped";
  const Job& job = t_.jobs.at(resize.job);
  const Attempt& attempt = attempt_of(resize.job);
  if (is_spared(resize.job, true) || is_spared(resize.job, false)) return "it is spared";
  const bool has_saved =
      std::ranges::any_of(job.checkpoints, [&](const Checkpoint& one) { return one.attempt == attempt.number; });
  if (!has_saved) return "it would begin at the beginning";
  if (*attempt.started_at + policy_.resize_interval > now_) return "it is early";
  if (std::cmp_greater(resize.placement.size(), job.spec->nodes)) return "it is too large";
  if (resize.placement.size() <= attempt.placement.size()) return "it does not grow";
  for (const auto& had : attempt.placement)
    if (std::ranges::none_of(resize.placement, [&](const TaskPlacement& placed) {
          return placed.node == had.node && placed.devices == had.devices;
        }))
      return "it leaves a node";
  Machines machines(t_);
  Use use;
  fill(machines, use, View::later, {resize.job}, {});
  if (!has_quota(t_, use, job, resize.flavor, resize.placement.size())) return "its quota is not there";
  return std::nullopt;
}

std::optional<std::string> Referee::objection(const engine::NominationRelease& release) const {
  return t_.jobs.at(release.job).nomination ? std::nullopt : std::optional<std::string>("no place is kept for it");
}

// Each goes on with fewer of its nodes, beside the others.
std::optional<std::string> Referee::smaller_objection(const engine::Preemption& preemption, Machines& machines,
                                                      Use& use) const {
  for (const auto& preempted : preemption.preempted_jobs) {
    if (preempted.goes_on.empty()) continue;
    const Job& job = t_.jobs.at(preempted.job);
    const Attempt& attempt = attempt_of(preempted.job);
    const auto size = static_cast<std::int32_t>(preempted.goes_on.size());
    if (size < job.spec->smallest() || size >= static_cast<std::int32_t>(attempt.placement.size()))
      return "it does not become smaller, or too small";
    if (!in_whole_slices(machines, job, preempted.goes_on)) return "it goes on in other slices";
    for (const auto& placed : preempted.goes_on) {
      if (std::ranges::find(attempt.placement, placed.node, &TaskPlacement::node) == attempt.placement.end())
        return "it goes on elsewhere";
      const Node& node = t_.nodes.at(placed.node);
      if (!machines.in_service(node) || !machines.has_room(job, node) || !machines.may_have(job, placed))
        return "where it goes on is not free on " + placed.node;
    }
    if (!has_quota(t_, use, job, attempt.flavor, preempted.goes_on.size())) return "its quota to go on is not there";
    machines.take(*job.spec, preempted.goes_on);
    charge(use, job, job.queue, attempt.flavor, preempted.goes_on.size());
  }
  return std::nullopt;
}

// What other jobs block counts too, and is not seen here. So the cause may be `borrow` where this looks like reclaim.
bool Referee::is_cause(const Job& job, const engine::Preemption& preemption, const Jobs& others,
                       const Jobs& all) const {
  const auto is_within = [&](JobId one) { return stays_within(job, preemption.flavor, one, all, Own::aside); };
  switch (preemption.cause) {
    case engine::Preemption::Cause::priority: return others.empty();
    case engine::Preemption::Cause::reclaim: return !others.empty() && std::ranges::all_of(others, is_within);
    case engine::Preemption::Cause::borrow:
      return std::ranges::any_of(others, [&](JobId one) { return may_borrow_from(job, one); });
    case engine::Preemption::Cause::consolidation: return false;
  }
  return false;
}

std::optional<std::string> Referee::objection(const engine::Preemption& preemption) const {
  const Job& job = t_.jobs.at(preemption.job);
  if (job.state != JobState::queued || job.cancel_requested || job.nomination) return "it does not wait for a place";
  if (job.not_before && *job.not_before > now_) return "it backs off";
  if (is_stopped(t_, job.queue)) return "its queue is held";
  if (preemption.preempted_jobs.empty() &&
      std::ranges::none_of(t_.attempts, [](const auto& e) { return leaves(e.second); }))
    return "no job leaves";
  Jobs all;
  for (const auto& preempted : preemption.preempted_jobs) {
    if (!may_be_stopped(preempted.job)) return to_string(preempted.job) + " cannot be stopped";
    if (attempt_of(preempted.job).number != preempted.attempt) return "it is another attempt";
    if (is_spared(preempted.job, !is_own(job, preempted.job))) return to_string(preempted.job) + " is spared";
    all.insert(preempted.job);
  }
  const Jobs others = others_of(job, all);
  if (!in_some_order(job, preemption.flavor, others, all, Own::aside)) return "a job of another queue may not stop";
  if (!has_right(job, preemption.flavor, all, Own::aside)) return "it uses more than nominal itself";
  if (!is_cause(job, preemption, others, all)) return "the cause is wrong";
  Machines machines(t_);
  Use use;
  fill(machines, use, View::later, all, job.id);
  if (!has_quota(t_, use, job, preemption.flavor, preemption.placement.size())) return "its quota is not there";
  std::set<std::string> nodes;
  const auto group = machines.group(job, t_.nodes.at(preemption.placement.front().node));
  if (!in_whole_slices(machines, job, preemption.placement)) return "the gang is not in slices";
  for (const auto& placed : preemption.placement) {
    const Node& node = t_.nodes.at(placed.node);
    if (!nodes.insert(placed.node).second || node.cluster != preemption.cluster) return "the gang is not whole";
    if (!group || machines.group(job, node) != group) return "the gang is not in one domain";
    const Part part = part_with(job, preemption.flavor, std::ssize(preemption.placement), placed.task);
    if (!machines.rules_allow(part.job, node, part.flavor) || !machines.in_service(node) ||
        !machines.has_room(part.job, node) || !machines.may_have(part.job, placed))
      return "its place is not free on " + placed.node;
  }
  if (static_cast<std::int32_t>(nodes.size()) != job.spec->smallest()) return "the gang has another size";
  machines.take(*job.spec, preemption.placement);
  charge(use, job, job.queue, preemption.flavor, preemption.placement.size());
  return smaller_objection(preemption, machines, use);
}

bool Referee::has_room(const Job& job, const std::string& flavor, const Jobs& gone) const {
  Machines machines(t_);
  Use use;
  fill(machines, use, View::later, gone, job.id);
  const Job least = smallest(job);
  if (!NaiveQuota(t_.queues, use).covers_now(least, flavor)) return false;
  return machines.have_room_together(least, flavor);
}

bool Referee::can_run(const Job& job, const std::string& flavor, const Jobs& gone) const {
  return has_room(job, flavor, gone) && has_right(job, flavor, gone, Own::counts);
}

bool Referee::is_lawful(const Job& job, const std::string& flavor, const Jobs& preempted_jobs, Own own) const {
  return in_some_order(job, flavor, others_of(job, preempted_jobs), preempted_jobs, own) &&
         has_right(job, flavor, preempted_jobs, own);
}

}  // namespace ym::reference
