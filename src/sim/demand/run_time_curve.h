// RunTimeCurve: the distribution of run times, from complete ones and from lower bounds of incomplete ones.
//
// Weighted product-limit estimate: Kaplan, Meier, "Nonparametric estimation from incomplete observations", 1958.
// Running jobs move probability to longer times, without an assumption about how much longer. The scale is log2,
// because forecasts of run times are wrong by factors.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace ym::sim {

struct RunTimePoint {
  double log2_s = 0;  // of the run time, or of the time that it has run so far
  double weight = 1;
  bool running = false;
};

// A forecast of one run time. Times are log2 of seconds.
struct RunTimePrediction {
  double log2_s = 0;      // at most a factor of 2 from each point of the most likely window of a factor 4
  double confidence = 0;  // probability of that window
  double p10 = 0, p50 = 0, p90 = 0;
  bool operator==(const RunTimePrediction&) const = default;
};

class RunTimeCurve {
 public:
  // Precondition: weights are positive.
  explicit RunTimeCurve(std::vector<RunTimePoint> points);

  // For a job that has not started. Nothing if no job has ended.
  std::optional<RunTimePrediction> of_new_job() const;

 private:
  struct Mass {
    double log2_s = 0, probability = 0;
  };
  struct Window {
    std::size_t begin = 0, end = 0;
    double probability = 0;
  };
  static std::optional<RunTimePrediction> predicted(const std::vector<Mass>& masses);
  static double quantile(const std::vector<Mass>& masses, double q);
  static Window likeliest_window(const std::vector<Mass>& masses);
  static double centre_of(const std::vector<Mass>& masses, const Window& window);

  std::vector<Mass> masses_;  // of ended jobs, by time; the sum may be less than 1
};

}  // namespace ym::sim
