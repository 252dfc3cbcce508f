// RunTimeCurve: the distribution of run times, from those that are known and those known to be longer than something.
//
// Weighted product-limit estimate: Kaplan, Meier, "Nonparametric estimation from incomplete observations", 1958. What
// still runs moves probability to longer times, without any assumption of how much longer. On a log2 scale, as run
// times err by factors.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace ym::sim {

struct RunTimePoint {
  double log2_s = 0;  // of the run time, or of how long it has run so far
  double weight = 1;
  bool running = false;
};

// A forecast of one run time; times as log2 of seconds.
struct RunTimeSaid {
  double log2_s = 0;      // no further than a factor 2 from all of the most likely window of a factor 4
  double confidence = 0;  // the probability of that window
  double p10 = 0, p50 = 0, p90 = 0;
  bool operator==(const RunTimeSaid&) const = default;
};

class RunTimeCurve {
 public:
  // Precondition: weights are positive.
  explicit RunTimeCurve(std::vector<RunTimePoint> points);

  // Of a job that has yet to start. Nothing where none has ended.
  std::optional<RunTimeSaid> of_new_job() const;

 private:
  struct Mass {
    double log2_s = 0, probability = 0;
  };
  struct Window {
    std::size_t begin = 0, end = 0;
    double probability = 0;
  };
  static std::optional<RunTimeSaid> said(const std::vector<Mass>& masses);
  static double quantile(const std::vector<Mass>& masses, double q);
  static Window likeliest_window(const std::vector<Mass>& masses);
  static double centre_of(const std::vector<Mass>& masses, const Window& window);

  std::vector<Mass> masses_;  // of those that ended, by time; may add up to less than 1
};

}  // namespace ym::sim
