// RetainedReports: the last progress reports of user code, retained until a server has them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "executor/remote/wire.h"

namespace ym::remote {

class RetainedReports {
 public:
  // Ignores reports with a number that is not new.
  void put(RawProgress report) {
    if (report.number <= newest_) return;
    newest_ = report.number;
    if (report.text.size() > kMaxProgressText) report.text.resize(kMaxProgressText);
    kept_.push_back(std::move(report));
    if (kept_.size() > kMostProgress) drop_one();
  }

  // The reports that a server lacks if it has all up to `heard`.
  std::vector<RawProgress> after(std::int64_t heard) const {
    std::vector<RawProgress> rest;
    std::ranges::copy_if(kept_, std::back_inserter(rest), [heard](const auto& r) { return r.number > heard; });
    return rest;
  }

  std::int64_t newest() const { return newest_; }

 private:
  // The next report replaces a step, but not a checkpoint or the end of the work.
  static bool lasts(const RawProgress& report) {
    return report.text.contains("checkpoint") || report.text.contains("completed");
  }
  void drop_one() {
    const auto passing = std::ranges::find_if_not(kept_.begin(), kept_.end() - 1, lasts);
    kept_.erase(passing == kept_.end() - 1 ? kept_.begin() : passing);
  }

  std::vector<RawProgress> kept_;  // by number
  std::int64_t newest_ = 0;
};

}  // namespace ym::remote
