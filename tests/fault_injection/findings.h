// The violations that the watches of a run have found.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "fault_injection/promise.h"

namespace ym::sim {

class Findings {
 public:
  // Adds each text once.
  void add(Promise promise, std::string what) {
    const auto same = [&](const Violation& known) { return known.promise == promise && known.what == what; };
    if (violations_.size() < kMost && std::ranges::none_of(violations_, same))
      violations_.push_back({promise, std::move(what)});
  }
  const std::vector<Violation>& violations() const { return violations_; }

  // A fault happened. Delays count from here on.
  void disturbed(Instant now) { calm_since_ = now; }
  Instant calm_since() const { return calm_since_; }

 private:
  static constexpr std::size_t kMost = 20;
  std::vector<Violation> violations_;
  Instant calm_since_;
};

}  // namespace ym::sim
