// ProgressDesk: where what user code says of itself comes in, by whatever way.
//
// A newer checkpoint or the completion is stored at once. All else is merged and kept, and
// stored at most once in kStoredEvery for an attempt, at times of a common grid, so that
// those of a thousand jobs share a few transactions.
//
// What a batch has changed here counts when the batch is durable (`stored`), and is undone
// when it is thrown away (`lost`). One thread.
#pragma once

#include <map>
#include <optional>

#include "control/state/due_list.h"
#include "control/state/staging.h"
#include "model/progress.h"

namespace ym {

class ProgressDesk {
 public:
  static constexpr Duration kStoredEvery = seconds(5);
  static constexpr Duration kGrid = seconds(1);
  // Names of metrics that are remembered of an attempt; later ones are left out.
  static constexpr std::size_t kMetrics = 128;

  // Precondition: the attempt is in the tables and has not ended.
  void take(Staging& staging, AttemptKey attempt, ProgressReport report);

  // Stages what is kept of the attempt: to be called before its end is staged.
  void stage(Staging& staging, AttemptKey attempt);
  void stage_due(Staging& staging);
  void stage_all(Staging& staging);
  // When stage_due has something to do. Nothing: not before the next report.
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
  std::map<AttemptKey, std::optional<Kept>> before_;  // what this batch has changed, as it was
};

}  // namespace ym
