// Timeline: how levels (GPUs in use, jobs that wait) went over the time of a simulation, as means over intervals of one
// width; a bounded number of them however long it lasts.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/time.h"

namespace ym::sim {

class Timeline {
 public:
  // Each interval lasts so long, until there are so many of them; then twice as long, and so on.
  explicit Timeline(Duration width, std::size_t most = 600) : width_(width), most_(most) {}
  Timeline() : Timeline(minutes(1)) {}

  // From when on there is something to tell. Before anything else.
  void begin(Instant at) { begin_ = now_ = at; }
  // Up to `at` the levels were as they are set. Precondition: not before the last one.
  void advance_to(Instant at);
  // From now on.
  void set(const std::string& name, std::int64_t level) { levels_[name] = level; }
  void change(const std::string& name, std::int64_t by) { levels_[name] += by; }

  Instant began() const { return begin_; }
  Duration width() const { return width_; }
  // Of each level the mean of each interval, the last over as much of it as there was. All are as long.
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
