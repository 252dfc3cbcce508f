// The policy that plans: it learns the market, takes the plan for what it believes of it, and does what the plan says
// as long as that keeps the deadline.
//
// Its parts know nothing of simulations: what is seen (Observations), what is believed (Estimator, Belief), what is
// best if it is so (Plan), what is safe in any case (deadline_guard.h).
#pragma once

#include <map>

#include "papers/spot/estimator.h"
#include "papers/spot/plan.h"
#include "papers/spot/simulate.h"

namespace ym::sim::spot {

// Plans of one kind of job, each made when it is first asked for. Threads: one.
class Plans {
 public:
  explicit Plans(const Job& job) : job_(job) {}

  // Stays where it is.
  const Plan& plan(const Belief& belief);
  std::size_t size() const { return plans_.size(); }

 private:
  Job job_;
  std::map<Belief, Plan> plans_;
};

// Where a job is to be in the next tick; of zones, only one that is up. `estimator` has seen `view`; `plans` are of
// that kind of job.
Place planned_place(const Job& job, const JobState& state, const View& view, const Estimator& estimator, Plans& plans);

class PlannedPolicy : public Policy {
 public:
  // `plans` outlives it. The estimator knows what was seen before the run.
  PlannedPolicy(Plans& plans, Estimator estimator);

  Place decide(const Job& job, const JobState& state, const View& view) override;

 private:
  Plans& plans_;
  Estimator estimator_;
};

}  // namespace ym::sim::spot
