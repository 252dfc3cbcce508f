// The best plan for a job: by going through all sets of jobs to stop or, if there are too many, by a simple greedy
// search.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "reference/flavors.h"
#include "reference/losses.h"
#include "reference/referee.h"

namespace ym::reference {
namespace {

// Up to this number of candidates, all sets are tried.
constexpr std::size_t kFew = 8;

}  // namespace

std::vector<std::string> Referee::flavors(const Job& job) const {
  const NaiveQuota quota(t_.queues, {});
  if (!quota.can_hold_jobs(job.queue)) return {};
  std::set<std::string> all{std::string(kDefaultFlavor)};
  for (const auto& [name, flavor] : t_.flavors) all.insert(name);
  const auto allowed = quota.quota_for(job.queue);
  std::vector<std::string> found;
  for (const auto& flavor : all)
    if (!allowed || allowed->contains(flavor)) found.push_back(flavor);
  if (job.spec->placement->anchor > 0 || !job.spec->groups.empty()) return tried_choices(t_, quota, job);
  return found;
}

// A job that may not be stopped alone may not be stopped together with others: when they have left, its queue borrows
// less, not more.
Jobs Referee::in_question(const Job& job, const std::string& flavor, Young young) const {
  Jobs found;
  for (const auto& [id, other] : t_.jobs) {
    if (!may_be_stopped(id)) continue;
    const bool own = is_own(job, id);
    const bool spared = young == Young::too ? is_exempt(id, !own) : is_spared(id, !own);
    const bool in_turn = goes_before(job, id) || (!own && may_borrow_from(job, id));
    if (!spared && in_turn && (own || borrows(job, flavor, id, {}, {}, Own::counts))) found.insert(id);
  }
  return found;
}

Jobs Referee::outside_of_target(Jobs jobs) const {
  std::erase_if(jobs, [&](JobId id) { return place_in_target(id).has_value(); });
  return jobs;
}

// Jobs outside the target come first. The others are considered only if those would not suffice even without
// protection.
std::optional<Price> Referee::best_price(const Job& job, const std::string& flavor) const {
  const Jobs all = in_question(job, flavor), outside = outside_of_target(all);
  const auto price = [&](const Jobs& preempted_jobs) {
    return preempted_jobs.size() <= kFew ? least_price(job, flavor, preempted_jobs)
                                         : greedy_price(job, flavor, preempted_jobs);
  };
  if (auto best = price(outside); best || outside.size() == all.size()) return best;
  const Jobs with_young = outside_of_target(in_question(job, flavor, Young::too));
  return with_young.size() > outside.size() && has_room(job, flavor, with_young) ? std::nullopt : price(all);
}

bool Referee::goes_through_all(const Job& job) const {
  return std::ranges::all_of(flavors(job),
                             [&](const std::string& flavor) { return in_question(job, flavor).size() <= kFew; });
}

std::optional<Price> Referee::least_price(const Job& job, const std::string& flavor, const Jobs& preempted_jobs) const {
  if (!has_room(job, flavor, preempted_jobs)) return std::nullopt;
  const std::vector<JobId> all(preempted_jobs.begin(), preempted_jobs.end());
  std::vector<std::pair<Price, Jobs>> sets;
  for (unsigned bits = 1; bits < 1U << all.size(); ++bits) {
    Jobs some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((bits >> i & 1U) != 0) some.insert(all[i]);
    sets.emplace_back(price(job, flavor, some), some);
  }
  std::ranges::sort(sets);
  for (const auto& [cost, some] : sets)
    if (can_run(job, flavor, some) && is_lawful(job, flavor, some, Own::counts))
      return price(job, flavor, without_those_that_come_back(job, flavor, some));
  return std::nullopt;
}

// Jobs of its own queue in the target that would leave only for the right to reclaim, the most expensive first.
Jobs Referee::without_those_that_come_back(const Job& job, const std::string& flavor, Jobs preempted_jobs) const {
  std::vector<JobId> order(preempted_jobs.begin(), preempted_jobs.end());
  std::ranges::sort(order, std::greater(), [&](JobId preempted) { return price(job, flavor, {preempted}); });
  for (const JobId one : order) {
    if (!is_own(job, one) || !place_in_target(one) || preempted_jobs.size() == 1) continue;
    Jobs others = preempted_jobs;
    others.erase(one);
    if (has_room(job, flavor, others) && is_lawful(job, flavor, others, Own::aside)) preempted_jobs = others;
  }
  return preempted_jobs;
}

// Jobs are stopped in the order of their single price, each if it may be at that point, until there is room. Then jobs
// come back, the last first, if there is room without them.
std::optional<Price> Referee::greedy_price(const Job& job, const std::string& flavor,
                                           const Jobs& preempted_jobs) const {
  std::vector<JobId> order(preempted_jobs.begin(), preempted_jobs.end());
  std::ranges::sort(order, {}, [&](JobId preempted) { return price(job, flavor, {preempted}); });
  Jobs gone;
  std::vector<JobId> left;
  for (const JobId next : order) {
    if (can_run(job, flavor, gone)) break;
    Jobs more = gone;
    more.insert(next);
    if (!is_own(job, next) && !borrows(job, flavor, next, gone, more, Own::counts)) continue;
    gone = std::move(more);
    left.push_back(next);
  }
  if (!can_run(job, flavor, gone)) return std::nullopt;
  for (auto last = left.rbegin(); last != left.rend(); ++last) {
    gone.erase(*last);
    if (!can_run(job, flavor, gone)) gone.insert(*last);
  }
  return price(job, flavor, gone);
}

std::optional<std::string> Referee::not_the_best(const Job& job, const engine::Preemption* got) const {
  for (const auto& flavor : flavors(job)) {
    if (has_room(job, flavor, {})) return got ? std::optional<std::string>("it has room without that") : std::nullopt;
  }
  if (got && only_shrinks(*got)) return std::nullopt;
  for (const auto& flavor : flavors(job)) {
    if (got && got->flavor != flavor) continue;
    const Jobs preempted_jobs = in_question(job, flavor);
    const bool few = preempted_jobs.size() <= kFew;
    const auto best = best_price(job, flavor);
    if (!got && best) return fmt::format("no room is made in {}, with {} in question", flavor, preempted_jobs.size());
    if (!got) continue;
    Jobs stopped;
    for (const auto& preempted : got->preempted_jobs) stopped.insert(preempted.job);
    const Price paid = price(job, flavor, stopped);
    if (best && *best < paid) return fmt::format("there is a better plan, with {} in question", preempted_jobs.size());
    if (few && (!best || paid < *best)) return "that is better than possible";
  }
  return std::nullopt;
}

Price Referee::price(const Job& job, const std::string& flavor, const Jobs& preempted_jobs) const {
  Machines machines(t_);
  Use use;
  fill(machines, use, View::rights, {}, job.id);
  const NaiveQuota quota(t_.queues, use);
  const auto kinds = contested(job, flavor);
  const auto borrower = [&](JobId preempted) {
    const Attempt& attempt = attempt_of(preempted);
    return std::ranges::any_of(kinds, [&](const auto& one) {
      const auto& [own, kind] = one;
      return has_some(preempted, own, kind) && quota.limited(attempt.queue, own, kind) &&
             quota.usage(attempt.queue, own, kind) > quota.subtree(attempt.queue, own, kind);
    });
  };
  Price paid{0, -1, 0, 0, 0, preempted_jobs.size(), {}, {preempted_jobs.begin(), preempted_jobs.end()}};
  auto& [in_target, highest, non_borrowers, gpu_ms, cpu_ms, count, ages, ids] = paid;
  for (const JobId preempted : preempted_jobs) {
    in_target += place_in_target(preempted).has_value();
    highest = std::max(highest, t_.jobs.at(preempted).priority);
    non_borrowers += !borrower(preempted);
    gpu_ms += lost_by_stop(t_, preempted, ResourceKind::gpus, policy_.restart_cost, now_);
    cpu_ms += lost_by_stop(t_, preempted, ResourceKind::cpus, policy_.restart_cost, now_);
    ages.push_back(-attempt_of(preempted).admitted_at.ms);
  }
  std::ranges::sort(ages);
  return paid;
}

}  // namespace ym::reference
