// ProgressIntake: the progress intake. It takes all progress reports of user code.
//
// A newer checkpoint or the completion is stored at once. Other values are merged and kept. They are stored at most
// once in kStoredEvery for an attempt. The times are on a common grid, so the reports of a thousand jobs share a few
// transactions.
//
// The changes of a batch count when the batch is durable (`stored`). They are undone if the batch is thrown away
// (`lost`). One thread.
#pragma once

#include <map>
#include <optional>

#include "control/state/due_list.h"
#include "control/state/staging.h"
#include "model/progress.h"

namespace ym {

class ProgressIntake {
 public:
  static constexpr Duration kStoredEvery = seconds(5);
  static constexpr Duration kGrid = seconds(1);
  // The most metric names of an attempt. Later names are left out.
  static constexpr std::size_t kMetrics = 128;

  // Precondition: the attempt is in the tables and has not ended.
  void take(Staging& staging, AttemptKey attempt, ProgressReport report);

  // Stages the kept report of the attempt. Call it before the attempt's end is staged.
  void stage(Staging& staging, AttemptKey attempt);
  void stage_due(Staging& staging);
  void stage_all(Staging& staging);
  // When stage_due has work. Nothing: not before the next report.
  std::optional<Instant> next_due() const { return due_.next(); }

  void stored() { before_.clear(); }
  void lost();

 private:
  struct Kept {
    ProgressReport report;
    Instant due;
  };
  void set(AttemptKey attempt, std::optional<Kept> kept);
  void put(AttemptKey attempt, std::optional<Kept> kept);

  std::map<AttemptKey, Kept> kept_;
  DueList<AttemptKey> due_;
  std::map<AttemptKey, std::optional<Kept>> before_;  // the reports that this batch has changed, as they were before
};

}  // namespace ym
