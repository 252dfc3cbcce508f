#include "engine/preemption/candidates.h"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>

namespace ym::engine {
namespace {

class CandidateFinder {
 public:
  CandidateFinder(Cycle& cycle, const Claimant& claimant, const PreemptibleJobs& preemptible)
      : cycle_(cycle), claimant_(claimant), kinds_(contested_kinds(claimant)) {
    // With the tentative admissions revoked, other kinds may be contested.
    if (std::ranges::any_of(preemptible.all, &Running::tentative))
      kinds_ = asked_kinds(cycle.in.state.quota, claimant.shape, claimant.flavors);
  }

  void consider(const AlikeJobs& alike) {
    const bool own = alike.queue == claimant_.shape.queue;
    const auto one = std::ranges::find(alike.members, false, &Running::gone);
    if (one == alike.members.end() || (own ? !is_of_use(alike) : !is_lent(**one))) return;
    alike_begins_.push_back(found_.candidates.size());
    for (Running* running : alike.members) consider(*running, own);
  }

  FoundCandidates done() {
    find_borrowers();
    if (!std::ranges::is_sorted(found_.candidates, before)) std::ranges::sort(found_.candidates, before);
    return std::move(found_);
  }

 private:
  // Whether these jobs free quota of the flavor, or machines.
  bool is_of_use(const AlikeJobs& alike) const {
    return std::ranges::any_of(claimant_.flavors.each(), [&](FlavorIndex flavor) {
      return alike.flavors.has(flavor) || std::ranges::find(alike.node_flavors, flavor) != alike.node_flavors.end();
    });
  }
  // The same for all of these jobs, apart from the priority.
  bool is_lent(const Running& one) const {
    return cycle_.in.policy.quota_phase && may_reclaim_from(claimant_, one.place->queue) &&
           engine::is_lent(claimant_, *one.place, kinds_);
  }

  void consider(Running& running, bool own) {
    if (running.gone || running.priority >= (own ? takes_below_ : reclaims_below_)) return;
    if (was_stopped_since(running)) {
      found_.some_were_stopped_since = true;
      return;
    }
    if (own && !may_take(claimant_, running)) return;
    const bool chosen = is_in_target(running), in_target = chosen && !running.tentative;
    if (chosen && (!running.tentative || had_place_kept(running)) && !may_go_before(running, own)) return;
    const Instant spared = own ? running.spared : running.spared_from_reclaim;
    if (spared > cycle_.in.now) {
      found_.next_unspared = std::min(found_.next_unspared, spared);
      if (!in_target && (own ? running.exempt : running.exempt_from_reclaim) <= cycle_.in.now)
        found_.spared.push_back({.running = &running, .own = own});
    } else found_.candidates.push_back({.running = &running, .own = own, .in_target = in_target});
  }

  bool was_stopped_since(const Running& running) const {
    return !may_stop_again(claimant_.job.arrived_at, running.stopped_at);
  }
  const Target& target() {
    if (!target_) target_ = &target_of(cycle_);
    return *target_;
  }
  bool had_place_kept(const Running& tentative) const {
    return cycle_.tried.tentative.at(tentative.slot).into_nomination;
  }
  bool is_in_target(const Running& running) { return target().has(running.slot); }
  bool may_go_before(const Running& running, bool own) {
    if (!own && !running.tentative && running.priority < borrows_below(claimant_)) return true;
    return target().is_before(cycle_.in.state.jobs.slot(claimant_.job.id), running.slot);
  }

  // Admissions of this cycle have borrowed nothing.
  void find_borrowers() {
    const auto mark = cycle_.tried.trial.mark();
    for (const Candidate& one : found_.candidates)
      if (one.running->tentative) cycle_.tried.trial.depart(one.running->job);
    const Kinds kinds = contested_kinds(claimant_);
    // Alike jobs are equal for quota.
    alike_begins_.push_back(found_.candidates.size());
    for (std::size_t alike = 0; alike + 1 < alike_begins_.size(); ++alike) {
      const std::span members(found_.candidates.data() + alike_begins_[alike],
                              alike_begins_[alike + 1] - alike_begins_[alike]);
      const bool borrows = !members.empty() && is_borrower(claimant_, *members.front().running->place, kinds);
      for (Candidate& one : members) one.borrows = borrows;
    }
    cycle_.tried.trial.roll_back(mark);
  }

  Cycle& cycle_;
  const Claimant& claimant_;
  Kinds kinds_;
  const Target* target_ = nullptr;  // once it was asked for
  std::int64_t takes_below_ = takes_below(claimant_), reclaims_below_ = reclaims_below(claimant_);
  std::vector<std::size_t> alike_begins_;  // indices of candidates at which alike jobs begin
  FoundCandidates found_;
};

}  // namespace

bool before(const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& one) {
    const Running& running = *one.running;
    return std::tuple(!running.tentative, one.in_target, running.priority, !one.borrows, running.loss.gpu_ms,
                      running.loss.cpu_ms, -running.admitted_at.ms, running.job);
  };
  return key(a) < key(b);
}

bool leaves_before(const Candidate& a, const Candidate& b) {
  const auto key = [](const Candidate& one) {
    const ResourceVector total = one.running->place->total();
    return std::tuple(!one.running->tentative, !one.own, total[ResourceKind::gpus], total[ResourceKind::cpus],
                      total[ResourceKind::memory], one.running->job);
  };
  return key(a) < key(b);
}

FoundCandidates find_candidates(Cycle& cycle, const Claimant& claimant, const PreemptibleJobs& preemptible) {
  CandidateFinder finder(cycle, claimant, preemptible);
  for (const AlikeJobs& alike : preemptible.alike_jobs_of(cycle.in.state.quota.root(claimant.shape.queue)))
    finder.consider(alike);
  return finder.done();
}

Price Price::of(const Candidates& preempted_jobs) {
  Price price;
  for (const Candidate& preempted : preempted_jobs) {
    const Running& running = *preempted.running;
    if (running.tentative) {
      price.taken_back.push_back(-std::int64_t{running.rank.value});
      continue;
    }
    price.in_target += preempted.in_target;
    price.highest = std::max(price.highest, running.row->priority);
    price.non_borrowers += !preempted.borrows;
    price.lost_gpu_ms += running.loss.gpu_ms;
    price.lost_cpu_ms += running.loss.cpu_ms;
    price.count += 1;
    price.ages.push_back(-running.admitted_at.ms);
    price.ids.push_back(running.job);
  }
  std::ranges::sort(price.ages);
  std::ranges::sort(price.ids);
  std::ranges::sort(price.taken_back, std::ranges::greater());
  return price;
}

}  // namespace ym::engine
