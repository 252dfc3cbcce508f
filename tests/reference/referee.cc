#include "reference/referee.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym::reference {
namespace {

bool leaves(const Attempt& attempt) {
  return attempt.state != AttemptState::ended && attempt.stop_cause && attempt.state != AttemptState::unknown;
}

// At its smallest size.
Job smallest(const Job& job) {
  JobSpec spec = *job.spec;
  spec.nodes = spec.smallest();
  spec.min_nodes.reset();
  Job other = job;
  other.spec = std::make_shared<const JobSpec>(std::move(spec));
  return other;
}

ResourceVector total(const Job& job, const std::vector<TaskPlacement>& placement) {
  return job.spec->resources.vector() * static_cast<std::int64_t>(placement.size());
}

void charge(Use& use, const std::string& queue, const std::string& flavor, const ResourceVector& amounts) {
  for (std::size_t i = 0; i < kResourceKinds; ++i) use[{queue, flavor, resource_kind(i)}] += amounts.amounts[i];
}

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

}  // namespace

void Referee::fill(Machines& machines, Use& use, bool later, const Jobs& gone, JobId job) const {
  for (const auto& [key, attempt] : t_.attempts) {
    if (attempt.state == AttemptState::ended || (later && (leaves(attempt) || gone.contains(key.job)))) continue;
    const Job& owner = t_.jobs.at(key.job);
    machines.take(*owner.spec, attempt.placement);
    charge(use, attempt.queue, attempt.flavor, total(owner, attempt.placement));
  }
  for (const auto& [id, holder] : t_.jobs) {
    if (!later || !holder.hold || id == job) continue;
    machines.take(*holder.spec, holder.hold->placement);
    charge(use, holder.queue, holder.hold->flavor, total(holder, holder.hold->placement));
  }
}

// Each book by itself: whoever is admitted has room in both.
std::optional<std::string> Referee::objection(const engine::Admission& admission) const {
  const Job& job = t_.jobs.at(admission.job);
  if (job.state != JobState::queued || job.cancel_requested) return "it does not wait";
  if (job.hold && !(job.hold->placement == admission.placement && job.hold->flavor == admission.flavor))
    return "another place is kept for it";
  for (const bool later : {false, true}) {
    Machines machines(t_);
    Use use;
    fill(machines, use, later, {}, job.id);
    for (const auto& placed : admission.placement) {
      const Node& node = t_.nodes.at(placed.node);
      const auto free = machines.free_devices(node);
      if (!machines.rules_allow(job, node, admission.flavor) || !machines.in_service(node))
        return "a node is not for it";
      if (!machines.has_room(job, node)) return fmt::format("no room on {}, later {}", placed.node, later);
      if (!std::ranges::all_of(placed.devices, [&](const auto& id) { return contains(free, id); }))
        return fmt::format("a device of {} is not free, later {}", placed.node, later);
    }
    if (!NaiveQuota(t_.queues, use).covers_now(job.queue, admission.flavor, total(job, admission.placement)))
      return fmt::format("no quota, later {}", later);
  }
  return std::nullopt;
}

std::optional<std::string> Referee::objection(const engine::HoldRelease& release) const {
  return t_.jobs.at(release.job).hold ? std::nullopt : std::optional<std::string>("no place is kept for it");
}

std::optional<std::string> Referee::objection(const engine::Preemption& preemption) const {
  const Job& job = t_.jobs.at(preemption.job);
  if (job.state != JobState::queued || job.cancel_requested || job.hold) return "it does not wait for a place";
  if (job.not_before && *job.not_before > now_) return "it backs off";
  if (preemption.victims.empty() && std::ranges::none_of(t_.attempts, [](const auto& e) { return leaves(e.second); }))
    return "nobody leaves";
  Jobs own, others;
  for (const auto& victim : preemption.victims) {
    if (!may_be_stopped(victim.job)) return to_string(victim.job) + " cannot be stopped";
    if (attempt_of(victim.job).number != victim.attempt) return "it is another attempt";
    const bool is_ours = is_own(job, victim.job);
    if (is_spared(victim.job, !is_ours)) return to_string(victim.job) + " is spared";
    (is_ours ? own : others).insert(victim.job);
  }
  if (!in_some_order(job, preemption.flavor, others, own)) return "somebody of another queue may not be stopped";
  Jobs all = own;
  all.insert(others.begin(), others.end());
  if (!has_right(job, preemption.flavor, all, others)) return "it uses more than nominal itself";
  if ((preemption.cause == engine::Preemption::Cause::reclaim) == others.empty()) return "the cause is wrong";
  Machines machines(t_);
  Use use;
  fill(machines, use, true, all, job.id);
  if (!NaiveQuota(t_.queues, use).covers_now(job.queue, preemption.flavor, total(job, preemption.placement)))
    return "its quota is not there";
  std::set<std::string> nodes;
  for (const auto& placed : preemption.placement) {
    const Node& node = t_.nodes.at(placed.node);
    const auto free = machines.free_devices(node);
    if (!nodes.insert(placed.node).second || node.cluster != preemption.cluster) return "the gang is not whole";
    if (!machines.rules_allow(job, node, preemption.flavor) || !machines.in_service(node) ||
        !machines.has_room(job, node) ||
        static_cast<std::int64_t>(placed.devices.size()) * kMilli != job.spec->resources.gpus ||
        !std::ranges::all_of(placed.devices, [&](const auto& id) { return contains(free, id); }))
      return "its place is not free on " + placed.node;
  }
  if (static_cast<std::int32_t>(nodes.size()) != job.spec->smallest()) return "the gang has another size";
  return std::nullopt;
}

bool Referee::may_be_stopped(JobId job) const {
  const Attempt* attempt = t_.live_attempt(job);
  const Job& row = t_.jobs.at(job);
  return attempt && !attempt->stop_cause && attempt->state != AttemptState::unknown && !row.cancel_requested &&
         row.spec->stop.preemptible;
}

bool Referee::is_spared(JobId job, bool reclaimed) const {
  const Job& row = t_.jobs.at(job);
  const auto recent = std::ranges::count_if(row.preempted_at, [&](Instant at) { return at + hours(1) > now_; });
  if (recent >= policy_.preemptions_per_hour) return true;
  const Duration own = row.spec->stop.min_runtime;
  const Duration least = reclaimed ? std::min(own, policy_.reclaim_min_runtime_cap) : own;
  const auto started = attempt_of(job).started_at;
  return least.ms > 0 && (!started || *started + least > now_);
}

bool Referee::is_own(const Job& job, JobId victim) const {
  const Job& other = t_.jobs.at(victim);
  if (attempt_of(victim).queue != job.queue) return false;
  const PreemptRule rule = t_.queues.at(job.queue).preempt;
  if (rule == PreemptRule::never) return false;
  if (other.priority != job.priority) return other.priority < job.priority;
  return rule == PreemptRule::any && std::pair(job.submitted_at, job.id) < std::pair(other.submitted_at, other.id);
}

bool Referee::borrows(const Job& job, const std::string& flavor, const Attempt& victim, const Jobs& gone) const {
  Machines machines(t_);
  Use use;
  fill(machines, use, true, gone, job.id);
  const NaiveQuota quota(t_.queues, use);
  if (victim.flavor != flavor || victim.queue == job.queue || !t_.queues.contains(victim.queue) ||
      !quota.sound(victim.queue) || quota.root(victim.queue) != quota.root(job.queue))
    return false;
  const auto ours = quota.way_up(job.queue);
  const ResourceVector has = t_.jobs.at(victim.job).spec->resources.vector();
  return std::ranges::any_of(quota.asked(job.queue, flavor, smallest(job).spec->total()), [&](ResourceKind kind) {
    if (has[kind] == 0 || !quota.limited(victim.queue, flavor, kind)) return false;
    return std::ranges::all_of(quota.way_up(victim.queue), [&](const std::string& queue) {
      return contains(ours, queue) || quota.usage(queue, flavor, kind) > quota.subtree(queue, flavor, kind);
    });
  });
}

bool Referee::in_some_order(const Job& job, const std::string& flavor, Jobs left, const Jobs& gone) const {
  if (left.empty()) return true;
  return std::ranges::any_of(left, [&](JobId next) {
    if (!borrows(job, flavor, attempt_of(next), gone)) return false;
    Jobs fewer = left, more = gone;
    fewer.erase(next);
    more.insert(next);
    return in_some_order(job, flavor, fewer, more);
  });
}

bool Referee::has_right(const Job& job, const std::string& flavor, const Jobs& gone, const Jobs& others) const {
  Machines machines(t_);
  Use use;
  fill(machines, use, true, gone, job.id);
  const ResourceVector need = smallest(job).spec->total();
  charge(use, job.queue, flavor, need);
  const NaiveQuota quota(t_.queues, use);
  return std::ranges::all_of(others, [&](JobId victim) {
    const auto theirs = quota.way_up(attempt_of(victim).queue);
    return std::ranges::any_of(quota.way_up(job.queue), [&](const std::string& queue) {
      return !contains(theirs, queue) && std::ranges::all_of(quota.asked(job.queue, flavor, need), [&](auto kind) {
        return quota.usage(queue, flavor, kind) <= quota.subtree(queue, flavor, kind);
      });
    });
  });
}

bool Referee::has_room(const Job& job, const std::string& flavor, const Jobs& gone) const {
  Machines machines(t_);
  Use use;
  fill(machines, use, true, gone, job.id);
  if (!NaiveQuota(t_.queues, use).covers_now(job.queue, flavor, job.spec->total())) return false;
  std::map<std::string, int> by_cluster;
  for (const auto& [name, node] : t_.nodes)
    if (machines.rules_allow(job, node, flavor) && machines.in_service(node) && machines.has_room(job, node) &&
        ++by_cluster[node.cluster] >= job.spec->nodes)
      return true;
  return false;
}

bool Referee::can_run(const Job& job, const std::string& flavor, const Jobs& gone) const {
  Jobs others;
  for (const JobId victim : gone)
    if (!is_own(job, victim)) others.insert(victim);
  return has_room(smallest(job), flavor, gone) && has_right(job, flavor, gone, others);
}

}  // namespace ym::reference
