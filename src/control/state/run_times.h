// RunTimes: run times of past jobs, as predictions for similar jobs.
//
// Groups of similar jobs, the closest first: jobs of one user with the same name, program and resources, without what
// differs from run to run (numbers, values of options); of one user with the same name; of one user with the same
// resources; all jobs with the same resources; all jobs. The first group with kLeastSamples decides, by its newest
// kKeptSamples run times. (Public traces show that recurrence works as the predictor: Weng et al., MLaaS in the Wild,
// NSDI 2022.)
//
// The content follows from the newest jobs that have ended, so a server that starts reads them again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/forecast/learnt_factor.h"
#include "model/job.h"

namespace ym {

// What is kept of a job that has run.
struct RunTimeSample {
  using Groups = std::array<std::uint64_t, 5>;

  Duration time;
  Groups groups{};  // the closest first, by the hash of what their jobs have in common
  Instant submitted_at, ended_at;
  std::optional<PredictedRunTime> predicted{};  // the job's prediction before it ran; nothing: it had none
};

class RunTimes {
 public:
  // For each group, the closest first.
  static constexpr std::array<std::int32_t, 5> kLeastSamples{3, 3, 3, 10, 30};
  static constexpr std::size_t kKeptSamples = 64;
  // Above this number of groups, the group with the oldest addition is forgotten.
  static constexpr std::size_t kMostGroups = 20'000;

  void add(const RunTimeSample& sample);
  // Adds all samples in order of time. Each gets the prediction that was possible when its job was submitted.
  void add_past(std::vector<RunTimeSample> samples);

  // Nothing: too little is known.
  std::optional<PredictedRunTime> predict(const Job& job) const;

 private:
  struct Group {
    std::vector<Duration> samples;  // the newest last
    PredictedRunTime plain;         // from the samples alone
    std::uint64_t touched = 0;
  };

  void add(std::uint64_t key, Duration time);
  void forget_oldest();
  template <class GroupAt>
  std::optional<PredictedRunTime> predict_by(GroupAt group_at) const;
  PredictedRunTime widened(const PredictedRunTime& plain, std::size_t which) const;

  std::unordered_map<std::uint64_t, Group> groups_;  // for look-ups only
  std::map<std::uint64_t, std::uint64_t> by_touch_;
  std::uint64_t touches_ = 0;
  // Learned factors never make the bounds narrower than those of the samples.
  static constexpr engine::LearntFactor::Limits kLearning{.least_milli = 1000, .most_milli = 64'000, .parts = 2000};
  engine::LearntFactor quick_{kLearning}, slow_{kLearning};
};

// The sample of a job that has ended, with its attempts by number. Nothing: it tells nothing about other jobs, because
// it never ran, or it neither succeeded nor reached its time limit.
std::optional<RunTimeSample> sample_of(const Job& job, const std::vector<Attempt>& attempts);

// How long the job's user code ran for its work: the last attempt, or all attempts if the last one resumed from a
// checkpoint. Nothing: not known.
std::optional<Duration> run_time_of(const std::vector<Attempt>& attempts);

// Whether a job with the prediction `before` should get this one: a quantile differs by more than a second and by more
// than a tenth. Each update is an event of each waiting job.
bool is_news(const PredictedRunTime& now, const std::optional<PredictedRunTime>& before);

}  // namespace ym
