// RunTimes: how long jobs have run, and what that says of those that are like them.
//
// Alike are, the closer the better: jobs of one user with the same name, program and resources, where what
// differs from run to run (numbers, values of options) does not count; of one user with the same name; of one
// user with the same resources; all with the same resources; all. The first group with kLeastSamples decides,
// by its newest kKeptSamples run times. (Recurrence as the predictor is what the public traces show to work:
// Weng et al., MLaaS in the Wild, NSDI 2022.)
//
// What it holds follows from the jobs that have ended, newest first: a server that starts reads them again.
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

// What is remembered of a job that has run.
struct RunTimeSample {
  using Groups = std::array<std::uint64_t, 5>;

  Duration time;
  Groups groups{};  // the closest first, by the hash of what they have in common
  Instant submitted_at, ended_at;
  std::optional<PredictedRunTime> said{};  // of the job before it ran; nothing: nothing was
};

class RunTimes {
 public:
  // Of each group, the closest first.
  static constexpr std::array<std::int32_t, 5> kLeastSamples{3, 3, 3, 10, 30};
  static constexpr std::size_t kKeptSamples = 64;
  // Groups beyond that: those are forgotten to which nothing was added for the longest time.
  static constexpr std::size_t kMostGroups = 20'000;

  void add(const RunTimeSample& sample);
  // All of them, in the order of time, as if of each had been said what was known when it was submitted.
  void add_past(std::vector<RunTimeSample> samples);

  // Nothing: too little is known.
  std::optional<PredictedRunTime> predict(const Job& job) const;

 private:
  struct Group {
    std::vector<Duration> samples;  // the newest last
    PredictedRunTime plain;         // from them alone
    std::uint64_t touched = 0;
  };

  void add(std::uint64_t key, Duration time);
  void forget_oldest();
  template <class GroupAt>
  std::optional<PredictedRunTime> predict_by(GroupAt group_at) const;
  PredictedRunTime widened(const PredictedRunTime& plain, std::size_t which) const;

  std::unordered_map<std::uint64_t, Group> groups_;  // for finding only
  std::map<std::uint64_t, std::uint64_t> by_touch_;
  std::uint64_t touches_ = 0;
  // Never narrower than the bounds of few samples are by themselves.
  static constexpr engine::LearntFactor::Limits kLearning{.least_milli = 1000, .most_milli = 64'000, .parts = 2000};
  engine::LearntFactor quick_{kLearning}, slow_{kLearning};
};

// Of a job that has ended, and its attempts by number. Nothing: it says nothing of others; it neither succeeded nor
// was stopped by its time limit, or never ran.
std::optional<RunTimeSample> sample_of(const Job& job, const std::vector<Attempt>& attempts);

// How long the job's user code ran to do its work: its last attempt; if that went on from a checkpoint, all.
std::optional<Duration> run_time_of(const std::vector<Attempt>& attempts);

// Whether who was told `before` should be told this: a quantile differs by more than a second, and by more than a
// tenth. Each telling is an event of each job that waits.
bool is_news(const PredictedRunTime& now, const std::optional<PredictedRunTime>& before);

}  // namespace ym
