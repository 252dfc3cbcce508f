// Judges decisions by the rules alone, from the tables, in a simple and slow way: which job may be stopped, whether the
// place is proven, whether there was a better plan.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "engine/engine.h"
#include "model/tables.h"
#include "reference/machines.h"
#include "reference/quota.h"

namespace ym::reference {

using Jobs = std::set<JobId>;

// Plans are compared by: jobs stopped in the target, highest priority stopped, jobs stopped in queues that do not
// borrow, GPU time lost, CPU time lost, number of stopped jobs, the youngest first, ids.
using Price = std::tuple<std::size_t, std::int32_t, std::size_t, std::int64_t, std::int64_t, std::size_t,
                         std::vector<std::int64_t>, std::vector<JobId>>;

class Referee {
 public:
  Referee(const Tables& tables, const engine::Policy& policy, Instant now) : t_(tables), policy_(policy), now_(now) {}

  // What is wrong with the decision. Nothing: it is allowed.
  std::optional<std::string> objection(const engine::Admission& admission) const;
  std::optional<std::string> objection(const engine::Preemption& preemption) const;
  std::optional<std::string> objection(const engine::Eviction& eviction) const;
  std::optional<std::string> objection(const engine::Resize& resize) const;
  std::optional<std::string> objection(const engine::NominationRelease& release) const;
  std::optional<std::string> objection(const engine::Deferral&) const { return std::nullopt; }

  // A stopped job without which the job could run too, or stopped jobs of which the least urgent would be enough. Holds
  // if no job is stopping and no job blocks backfill.
  std::optional<std::string> too_much(const engine::Preemption& preemption) const;

  // Whether another waiting job would have room: it was admitted in this cycle when this job was considered, and was
  // revoked since, for this job or another.
  bool had_others_beside(const Job& job) const;

  // Of such a plan only the other jobs are judged: all stopped jobs go on smaller.
  static bool only_shrinks(const engine::Preemption& preemption);

  // What is wrong with what the only waiting job got. With few candidates it must get the best plan (nothing: no job is
  // stopped for it), with many a plan at least as good as that of the greedy search.
  std::optional<std::string> not_the_best(const Job& job, const engine::Preemption* got) const;
  // Whether all sets of candidates were tried for that.
  bool goes_through_all(const Job& job) const;

 private:
  enum class View : std::uint8_t { now, later, rights };

  std::optional<std::string> smaller_objection(const engine::Preemption& preemption, Machines& machines,
                                               Use& use) const;

  bool in_whole_slices(const Machines& machines, const Job& job, const std::vector<TaskPlacement>& placement) const;
  const Attempt& attempt_of(JobId job) const { return *t_.live_attempt(job); }

  // referee_rights.cc: which job may preempt which
  bool may_be_stopped(JobId job) const;
  bool is_spared(JobId job, bool reclaimed) const {
    return is_exempt(job, reclaimed) || is_in_min_runtime(job, reclaimed);
  }
  bool is_exempt(JobId job, bool reclaimed) const;
  bool is_in_min_runtime(JobId job, bool reclaimed) const;
  bool would_miss_deadline(JobId job) const;
  bool is_own(const Job& job, JobId preempted) const;
  // Whether it was preempted since the job arrived.
  static bool was_stopped_since(const Job& job, const Job& preempted);
  // Its place in the target. Nothing: it is not in it.
  std::optional<std::size_t> place_in_target(JobId job) const;
  // Whether the job is chosen for the target before the other.
  bool goes_before(const Job& job, JobId preempted) const;
  bool may_reclaim(const Job& job, JobId preempted) const;
  // Flavor and kind.
  using Contest = std::vector<std::pair<std::string, ResourceKind>>;
  Contest contested(const Job& job, const std::string& flavor) const;
  // Whether the usage of preemptible jobs of its own queue counts for its right to reclaim. `aside`: it does not, since
  // they are spared if they would start again at once.
  enum class Own : std::uint8_t { counts, aside };
  // `all`: all jobs that stop in the end.
  bool borrows(const Job& job, const std::string& flavor, JobId preempted, const Jobs& gone, const Jobs& all,
               Own own) const;
  bool in_some_order(const Job& job, const std::string& flavor, const Jobs& others, const Jobs& all, Own own) const;
  // Of that flavor.
  bool has_some(JobId preempted, const std::string& flavor, ResourceKind kind) const;
  // Whether it stays within nominal quota against the preempted job, once the jobs in `gone` have left.
  bool stays_within(const Job& job, const std::string& flavors, JobId preempted, const Jobs& gone, Own own) const;
  // Whether it may stop the preempted job although it does not.
  bool may_borrow_from(const Job& job, JobId preempted) const;
  bool is_cause(const Job& job, const engine::Preemption& preemption, const Jobs& others, const Jobs& all) const;
  bool has_right(const Job& job, const std::string& flavor, const Jobs& gone, Own own) const;
  Jobs others_of(const Job& job, const Jobs& preempted_jobs) const;

  // What is taken: now; later, when the stopping jobs that can be counted on and `gone` have left; or as rights are
  // judged, when all stopping jobs have left. Without the nominated placement of `job`.
  void fill(Machines& machines, Use& use, View view, const Jobs& gone, JobId job) const;
  bool is_counted_on(const Attempt& attempt) const;
  bool has_room(const Job& job, const std::string& flavor, const Jobs& gone) const;
  // Room, and the right to it.
  bool can_run(const Job& job, const std::string& flavor, const Jobs& gone) const;
  bool is_lawful(const Job& job, const std::string& flavor, const Jobs& preempted_jobs, Own own) const;

  // referee_search.cc: the best plan
  std::vector<std::string> flavors(const Job& job) const;
  // `Young::too`: also jobs within their minimum runtime.
  enum class Young : std::uint8_t { not_asked, too };
  Jobs in_question(const Job& job, const std::string& flavor, Young young = Young::not_asked) const;
  Jobs outside_of_target(Jobs jobs) const;
  std::optional<Price> best_price(const Job& job, const std::string& flavor) const;
  std::optional<Price> least_price(const Job& job, const std::string& flavor, const Jobs& preempted_jobs) const;
  std::optional<Price> greedy_price(const Job& job, const std::string& flavor, const Jobs& preempted_jobs) const;
  Jobs without_those_that_come_back(const Job& job, const std::string& flavor, Jobs preempted_jobs) const;
  Price price(const Job& job, const std::string& flavor, const Jobs& preempted_jobs) const;

  const Tables& t_;
  const engine::Policy& policy_;
  Instant now_;
  mutable std::optional<std::vector<JobId>> target_;  // once it is asked for
};

// The job at its smallest size.
Job smallest(const Job& job);
ResourceVector total(const Job& job, const std::vector<TaskPlacement>& placement);

}  // namespace ym::reference
