// RunTimeForecast: how long a job will run, from recent jobs with the same queue and GPU count.
//
// Each of the newest thousand started jobs counts with the weight 1 / (1 + rank / 4) / sqrt(1 + age / 10 min); rank 0
// is the newest submit. The weights fall as powers, because there is no time after which the past does not matter. An
// ended job is a point of a Kaplan-Meier curve. A running job is known to run longer than so far. The forecast is about
// the middle of the most likely window of a factor 4; its confidence is the window's probability. If no job with this
// queue and GPU count has ended, jobs of the queue count, then jobs with the GPU count, then all.
//
// On the Philly trace 72 % of the forecasts at submit are within a factor of 2; with a confidence of at least 0.7, 83
// %. Jobs that run for days look like short ones at submit: most of them get a forecast that is far too short.
//
// Feed it in the order of time. Events of unknown jobs are ignored. It keeps a thousand jobs for each queue and GPU
// count, and all jobs that have not ended. A question takes 0.1 ms. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "sim/demand/run_time_curve.h"
#include "sim/demand/submission.h"

namespace ym::sim {

struct RunTimeOptions {
  std::size_t kept = 1000;  // jobs of a group; with few, a burst hides all ended ones
  double rank_scale = 4;
  Duration age_scale = minutes(10);
};

// Less than one second counts as one second.
double log2_s(Duration duration);

class RunTimeForecast {
 public:
  explicit RunTimeForecast(RunTimeOptions options = {}) : options_(options) {}

  void submitted(const Submission& submission);
  // A second start of the same job is ignored.
  void started(std::int64_t job, Instant at);
  // A job that never started is forgotten.
  void ended(std::int64_t job, Instant at);

  // For a job that is submitted or starts now. Nothing while no job has ended.
  std::optional<RunTimePrediction> of_new_job(const std::string& queue, std::int64_t gpus, Instant now) const;

 private:
  struct Open {
    Submission submission;
    std::int64_t sequence = 0;  // number of its submit
    std::optional<Instant> started{};
  };
  struct Member {
    std::int64_t sequence = 0;
    Instant submitted, started;
    std::optional<double> log2_s{};  // once it has ended
  };
  using Group = std::deque<Member>;  // by sequence
  // Queue and GPU count; nothing means any.
  using Key = std::pair<std::optional<std::string>, std::optional<std::int64_t>>;

  static std::vector<Key> keys_by_precision(const std::string& queue, std::int64_t gpus);
  void enter(Group& group, const Member& member) const;
  RunTimeCurve curve(const Group& group, Instant now) const;

  RunTimeOptions options_;
  std::int64_t submissions_ = 0;
  std::unordered_map<std::int64_t, Open> open_;
  std::map<Key, Group> groups_;
};

}  // namespace ym::sim
