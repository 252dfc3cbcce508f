// StartTrials: whether jobs started within their predicted range, and so how wide the next ranges have to be.
//
// It learns per queue, as jobs of different queues wait for different causes. A job counts once, by its first range,
// shown soon after it came: at most one job per queue and minute, the newest, as jobs that come together also wait
// together. An end of a range is settled when the job starts or when that end has passed. So a job that waits for weeks
// counts as late at once. An open end settles nothing. The result is in memory only: after a restart it starts anew.
//
// Pure: the caller gives times and events. Threads: one at a time.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "engine/forecast/forecast.h"
#include "engine/forecast/learnt_factor.h"
#include "model/event.h"

namespace ym::engine {

class StartTrials {
 public:
  static constexpr std::size_t kMost = 1'000;  // open trials
  static constexpr Duration kEvery = minutes(1);

  // A forecast has begun. Until `made`, it remembers which jobs start.
  void begun();
  // The forecast is made. `state`: its input.
  void made(const State& state, const Forecast& forecast);
  // A waiting job was shown this range. Ignored while kMost trials are open.
  void predicted(JobId job, const std::string& queue, const PredictedStart& what);
  void follow(const Event& event);
  // Settles what has passed: all starts before `now` have been reported.
  void settle(Instant now);

  // Of queues with something learnt.
  std::map<std::string, StartMargins> margins() const;

 private:
  struct Trial {
    std::string queue;
    PredictedStart predicted;
    bool early_is_settled = false;
  };
  struct Learnt {
    // A range is never narrower than half: too wide costs less than wrong. It learns fast: a queue has tens of starts a
    // day, and a restart forgets them.
    static constexpr LearntFactor::Limits kLimits{.least_milli = 500, .most_milli = 64'000, .parts = 100};
    LearntFactor early{kLimits}, late{kLimits};
    JobId newest;  // the newest job that was tried
  };

  // Settles the ends that lie before `now`; true: both ends are settled.
  bool pass(Trial& trial, Instant now);
  void started(JobId job, Instant at);
  // The job will not start; nothing is learnt from it.
  void gone(JobId job);

  std::map<JobId, Trial> open_;
  bool under_way_ = false;                             // whether a forecast is being made
  std::map<JobId, std::optional<Instant>> meanwhile_;  // jobs that started since `begun`, and when; nothing: gone
  std::map<std::string, Learnt> learnt_;               // by queue
  Instant next_;                                       // the next trial begins no earlier
};

}  // namespace ym::engine
