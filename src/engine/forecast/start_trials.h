// StartTrials: whether jobs started when it was said that they would, and so how wide the next ranges have to be.
//
// Of each queue, since what makes them wait differs. A job counts once, by what was said of it soon after it came: of
// each queue one a minute at most, the newest, as those that come together also wait together. An end of a range is
// settled when the job starts or when that end has passed, so that who waits for weeks is known to be late at once. An
// end that was left open settles nothing. What was learnt is kept in memory alone: after a restart it begins anew.
//
// Pure: times and events are told. Threads: one at a time.
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
  static constexpr std::size_t kMost = 1'000;  // jobs that are waited for
  static constexpr Duration kEvery = minutes(1);

  // A forecast is begun: until it is made it is remembered who starts meanwhile.
  void begun();
  // It is there. `state`: what it was made of.
  void made(const State& state, const Forecast& forecast);
  // This is said of a job that waits, unless so many are waited for already.
  void said(JobId job, const std::string& queue, const PredictedStart& what);
  void follow(const Event& event);
  // Nobody starts at a time before `now` any more of whom it was not told.
  void settle(Instant now);

  // Of the queues of which something is learnt.
  std::map<std::string, StartMargins> margins() const;

 private:
  struct Trial {
    std::string queue;
    PredictedStart said;
    bool early_is_settled = false;
  };
  struct Learnt {
    // A range is not made narrower than half: to be careful costs less than to be wrong. It learns fast: a queue sees
    // some tens of starts a day, and a server that starts has forgotten.
    static constexpr LearntFactor::Limits kLimits{.least_milli = 500, .most_milli = 64'000, .parts = 100};
    LearntFactor early{kLimits}, late{kLimits};
    JobId newest;  // that was looked at: those before it have had their turn
  };

  // Settles what has passed by `now`; true: all of it is.
  bool pass(Trial& trial, Instant now);
  void started(JobId job, Instant at);
  // It will not start by itself; nothing follows from that.
  void gone(JobId job);

  std::map<JobId, Trial> open_;
  bool under_way_ = false;                             // a forecast
  std::map<JobId, std::optional<Instant>> meanwhile_;  // who started since it was begun, and when; nothing: it went
  std::map<std::string, Learnt> learnt_;               // by queue
  Instant next_;                                       // not before then is another job looked at
};

}  // namespace ym::engine
