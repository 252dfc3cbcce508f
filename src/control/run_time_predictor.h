// RunTimePredictor: what becomes known of run times, and who is told.
//
// A job gets its prediction with its submit. The members of an array are submitted before any of them has run:
// those that still wait get theirs when enough of the others have.
#pragma once

#include <optional>
#include <set>
#include <span>

#include "control/run_times.h"
#include "control/staging.h"

namespace ym {

class RunTimePredictor {
 public:
  // So many of the newest jobs are read back at the start.
  static constexpr std::size_t kReadBack = 2'000;

  // Errors: those of the reader.
  Result<void> load(StoreReader& history);
  // Jobs that have ended, as they stand in the tables: after the commit, so that nothing is learnt of what did not
  // happen.
  void learn(const Tables& tables, std::span<const JobId> finished);

  std::optional<PredictedRunTime> predict(const Job& job) const { return times_.predict(job); }

  bool is_due() const { return !due_.empty(); }
  void stage_due(Staging& staging);

 private:
  RunTimes times_;
  std::set<GroupId> due_;  // arrays of whose members more is known
};

}  // namespace ym
