// Judges decisions by the rules alone, from the tables, obviously and slowly: who may be stopped,
// whether the place is proven, whether there was a better plan.
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

// What plans are compared by: victims in the target, highest victim priority, victims in queues that do not borrow, GPU
// time lost, CPU time lost, victims, the youngest first, ids.
using Price = std::tuple<std::size_t, std::int32_t, std::size_t, std::int64_t, std::int64_t, std::size_t,
                         std::vector<std::int64_t>, std::vector<JobId>>;

class Referee {
 public:
  Referee(const Tables& tables, const engine::Policy& policy, Instant now) : t_(tables), policy_(policy), now_(now) {}

  // What is wrong with it; nothing: it is lawful.
  std::optional<std::string> objection(const engine::Admission& admission) const;
  std::optional<std::string> objection(const engine::Preemption& preemption) const;
  std::optional<std::string> objection(const engine::Eviction& eviction) const;
  std::optional<std::string> objection(const engine::Resize& resize) const;
  std::optional<std::string> objection(const engine::NominationRelease& release) const;
  std::optional<std::string> objection(const engine::Deferral&) const { return std::nullopt; }

  // A victim without which the job could run as well, or more of whom the least urgent would do.
  // Holds where nobody leaves yet and nobody keeps anything from those behind.
  std::optional<std::string> too_much(const engine::Preemption& preemption) const;

  // Somebody else waits for whom there would be room: it was admitted in this cycle when the job was
  // looked at, and has been taken back since, for it or for another.
  bool had_others_beside(const Job& job) const;

  // What is judged of the others only: of a plan of which all go on smaller.
  static bool only_shrinks(const engine::Preemption& preemption);

  // What the only job that waits must get (nothing: nobody is stopped for it), where few come into
  // question; for many, at least as good as the simple greedy way. What is wrong with what it got.
  std::optional<std::string> not_the_best(const Job& job, const engine::Preemption* got) const;
  // Whether all sets of victims were gone through for that.
  bool goes_through_all(const Job& job) const;

 private:
  enum class View : std::uint8_t { now, later, rights };

  std::optional<std::string> smaller_objection(const engine::Preemption& preemption, Machines& machines,
                                               Use& use) const;

  bool in_whole_slices(const Machines& machines, const Job& job, const std::vector<TaskPlacement>& placement) const;
  const Attempt& attempt_of(JobId job) const { return *t_.live_attempt(job); }

  // referee_rights.cc: who may be stopped for whom
  bool may_be_stopped(JobId job) const;
  bool is_spared(JobId job, bool reclaimed) const {
    return is_exempt(job, reclaimed) || is_in_min_runtime(job, reclaimed);
  }
  bool is_exempt(JobId job, bool reclaimed) const;
  bool is_in_min_runtime(JobId job, bool reclaimed) const;
  bool would_miss_deadline(JobId job) const;
  bool is_own(const Job& job, JobId victim) const;
  // Whether it was stopped since the job arrived.
  static bool is_spent(const Job& job, const Job& victim);
  // Its place among those that should run; nothing: it is not one of them.
  std::optional<std::size_t> place_in_target(JobId job) const;
  // Whether the one is chosen for it before the other.
  bool goes_before(const Job& job, JobId victim) const;
  bool may_reclaim(const Job& job, JobId victim) const;
  // By flavor.
  using Contest = std::vector<std::pair<std::string, ResourceKind>>;
  Contest contested(const Job& job, const std::string& flavor) const;
  // Whether what those hold counts for its right to others that it may take in its own queue. `aside`: they are spared
  // if they would begin again at once.
  enum class Own : std::uint8_t { counts, aside };
  // `all`: those who are to leave in the end.
  bool borrows(const Job& job, const std::string& flavor, JobId victim, const Jobs& gone, const Jobs& all,
               Own own) const;
  bool in_some_order(const Job& job, const std::string& flavor, const Jobs& others, const Jobs& all, Own own) const;
  // Of that flavor.
  bool has_some(JobId victim, const std::string& flavor, ResourceKind kind) const;
  // Whether it stays within nominal against the victim, once those are gone.
  bool stays_within(const Job& job, const std::string& flavors, JobId victim, const Jobs& gone, Own own) const;
  // Whether it may stop the victim though it does not.
  bool may_borrow_from(const Job& job, JobId victim) const;
  bool is_cause(const Job& job, const engine::Preemption& preemption, const Jobs& others, const Jobs& all) const;
  bool has_right(const Job& job, const std::string& flavor, const Jobs& gone, Own own) const;
  Jobs others_of(const Job& job, const Jobs& victims) const;

  // What is taken now; or when those have left who leave and can be counted on, and `gone`; or the
  // same as rights are judged, where all who leave have left. Without what is kept for `job`.
  void fill(Machines& machines, Use& use, View view, const Jobs& gone, JobId job) const;
  bool is_counted_on(const Attempt& attempt) const;
  bool has_room(const Job& job, const std::string& flavor, const Jobs& gone) const;
  // Room, and the right to it.
  bool can_run(const Job& job, const std::string& flavor, const Jobs& gone) const;
  bool is_lawful(const Job& job, const std::string& flavor, const Jobs& victims, Own own) const;

  // referee_search.cc: the best plan
  std::vector<std::string> flavors(const Job& job) const;
  // `Young::too`: those as well that are within their minimum run time.
  enum class Young : std::uint8_t { not_asked, too };
  Jobs in_question(const Job& job, const std::string& flavor, Young young = Young::not_asked) const;
  Jobs outside_of_target(Jobs jobs) const;
  std::optional<Price> best_price(const Job& job, const std::string& flavor) const;
  std::optional<Price> least_price(const Job& job, const std::string& flavor, const Jobs& victims) const;
  std::optional<Price> greedy_price(const Job& job, const std::string& flavor, const Jobs& victims) const;
  Jobs without_those_that_come_back(const Job& job, const std::string& flavor, Jobs victims) const;
  Price price(const Job& job, const std::string& flavor, const Jobs& victims) const;

  const Tables& t_;
  const engine::Policy& policy_;
  Instant now_;
  mutable std::optional<std::vector<JobId>> target_;  // once it is asked for
};

// The job at its smallest size.
Job smallest(const Job& job);
ResourceVector total(const Job& job, const std::vector<TaskPlacement>& placement);

}  // namespace ym::reference
