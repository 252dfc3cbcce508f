// RunTimePredictor: what becomes known of run times, and who is told.
//
// A job gets its prediction with its submit. The members of an array are submitted before any of them has run:
// those that still wait get theirs when 3, 10, 30 and 100 of the others have, where it says anything new (is_news).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "control/state/run_times.h"
#include "control/state/staging.h"

namespace ym {

class RunTimePredictor {
 public:
  // So many of the newest jobs are read back at the start.
  static constexpr std::size_t kReadBack = 2'000;
  // So many jobs are told in one transaction.
  static constexpr int kToldAtOnce = 500;

  // Guesses are no reason not to start: what cannot be read is left out, and said in the log.
  void load(StoreReader& history);
  // Jobs that have ended, as they stand in the tables: after the commit, so that nothing is learnt of what did not
  // happen.
  void learn(const Tables& tables, std::span<const JobId> finished);
  // What was staged since the last commit was not stored.
  void lost();

  std::optional<PredictedRunTime> predict(const Job& job) const { return times_.predict(job); }

  bool is_due() const { return !due_.empty(); }
  void stage_due(Staging& staging);

 private:
  struct News {
    GroupId group;
    JobId next;  // those before it have been told
  };

  RunTimes times_;
  std::map<GroupId, std::int32_t> ended_;  // of arrays: how many members' run times are known
  std::vector<News> due_, staged_;
};

}  // namespace ym
