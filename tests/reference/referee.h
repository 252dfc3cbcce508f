// Judges decisions by the rules alone, from the tables, obviously and slowly: who may be stopped,
// whether the place is proven, whether somebody could be spared.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "model/tables.h"
#include "reference/machines.h"
#include "reference/quota.h"

namespace ym::reference {

class Referee {
 public:
  Referee(const Tables& tables, const engine::Policy& policy, Instant now) : t_(tables), policy_(policy), now_(now) {}

  // What is wrong with it; nothing: it is lawful.
  std::optional<std::string> objection(const engine::Admission& admission) const;
  std::optional<std::string> objection(const engine::Preemption& preemption) const;
  std::optional<std::string> objection(const engine::HoldRelease& release) const;
  std::optional<std::string> objection(const engine::Deferral&) const { return std::nullopt; }

  // A victim without which the job could run as well, or more of whom the least urgent would do.
  // Holds where nobody leaves yet and nobody keeps anything from those behind.
  std::optional<std::string> too_much(const engine::Preemption& preemption) const;
  // The job waits though it could run if all of its queue left whom it may stop. So too.
  bool is_forgotten(const Job& job) const;

 private:
  using Jobs = std::set<JobId>;

  const Attempt& attempt_of(JobId job) const { return *t_.live_attempt(job); }
  bool may_be_stopped(JobId job) const;
  bool is_spared(JobId job, bool reclaimed) const;
  bool is_own(const Job& job, JobId victim) const;

  // What is taken: now, or when those who leave and `gone` have left; without what is kept for `job`.
  void fill(Machines& machines, Use& use, bool later, const Jobs& gone, JobId job) const;
  bool has_room(const Job& job, const std::string& flavor, const Jobs& gone) const;
  bool has_right(const Job& job, const std::string& flavor, const Jobs& gone, const Jobs& others) const;
  bool can_run(const Job& job, const std::string& flavor, const Jobs& gone) const;
  bool borrows(const Job& job, const std::string& flavor, const Attempt& victim, const Jobs& gone) const;
  bool in_some_order(const Job& job, const std::string& flavor, Jobs left, const Jobs& gone) const;
  Jobs own_victims(const Job& job) const;

  const Tables& t_;
  const engine::Policy& policy_;
  Instant now_;
};

}  // namespace ym::reference
