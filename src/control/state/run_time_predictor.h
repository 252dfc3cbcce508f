// RunTimePredictor: learns run times, and updates the predictions of waiting jobs.
//
// A job gets its prediction with its submit. The members of an array are submitted before any of them has run. Waiting
// members get a new prediction when 3, 10, 30 and 100 members have run, if it differs (is_news).
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
  // The number of newest jobs that are read at the start.
  static constexpr std::size_t kReadBack = 2'000;
  // The most jobs that get a new prediction in one transaction.
  static constexpr int kMostAtOnce = 500;

  // A failed read is logged and does not stop the server: predictions are only estimates.
  void load(StoreReader& history);
  // Learns from jobs that have ended, with their rows in the tables. Call it after the commit, so that it learns
  // nothing from changes that were not stored.
  void learn(const Tables& tables, std::span<const JobId> finished);
  // The predictions staged since the last commit were not stored.
  void lost();

  std::optional<PredictedRunTime> predict(const Job& job) const { return times_.predict(job); }

  bool is_due() const { return !due_.empty(); }
  void stage_due(Staging& staging);

 private:
  struct PendingUpdate {
    GroupId group;
    JobId next;  // members before it are done
  };

  RunTimes times_;
  std::map<GroupId, std::int32_t> ended_;  // by array: members with a known run time
  std::vector<PendingUpdate> due_, staged_;
};

}  // namespace ym
