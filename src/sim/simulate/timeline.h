// Timeline: levels (GPUs in use, waiting jobs) over the time of a simulation, as means over intervals of equal width.
// Their number is bounded, however long the simulation lasts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/time.h"

namespace ym::sim {

class Timeline {
 public:
  // Each interval has this width until there are `most` of them. Then the width doubles, and so on.
  explicit Timeline(Duration width, std::size_t most = 600) : width_(width), most_(most) {}
  Timeline() : Timeline(minutes(1)) {}

  // The beginning. Call it first.
  void begin(Instant at) { begin_ = now_ = at; }
  // Until `at` the levels stay as they are. Precondition: not before the last call.
  void advance_to(Instant at);
  // From now on.
  void set(const std::string& name, std::int64_t level) { levels_[name] = level; }
  void change(const std::string& name, std::int64_t by) { levels_[name] += by; }

  Instant began() const { return begin_; }
  Duration width() const { return width_; }
  // For each level, the mean of each interval. The last interval counts as far as it is over. All lists have the same
  // length.
  std::map<std::string, std::vector<double>> means() const;

 private:
  void widen();

  Duration width_;
  std::size_t most_;
  Instant begin_, now_;
  std::map<std::string, std::int64_t> levels_;
  std::map<std::string, std::vector<double>> sums_;  // level times milliseconds, by interval
};

}  // namespace ym::sim
