// StartForecasts: when it was said that jobs would start, and when they did. What they show is added up in
// start_accuracy.h.
//
// It is said of jobs that wait when they are submitted, one in so much time at most, by the same forecast as in a
// server, and from when they started it is learnt as there (engine/forecast/start_trials.h). Nothing that is said rests
// on what came after it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/forecast/forecast.h"
#include "engine/forecast/start_trials.h"
#include "model/event.h"

namespace ym::sim {

struct StartForecast {
  std::string queue;
  engine::Forecast made{};                         // without its starts; with what was learnt by then
  std::optional<engine::PredictedStart> foreseen;  // by the runs
  std::optional<engine::NoStart> none;             // or why they do not know
  std::optional<Instant> started_at;
};

class StartForecasts {
 public:
  // 0: none is made.
  explicit StartForecasts(Duration every) : every_(every) {}

  bool is_due(Instant now) const { return every_.ms > 0 && now >= next_; }
  // A forecast was made with the submission of this job.
  void made(JobId job, const std::string& queue, engine::Forecast forecast);
  void follow(const Event& event);

  // In the order of time.
  std::vector<StartForecast> take() { return std::move(all_); }

 private:
  const Duration every_;
  Instant next_;
  engine::StartTrials trials_;
  std::vector<StartForecast> all_;
  std::map<JobId, std::size_t> waiting_;  // places in that of jobs that have not started
};

}  // namespace ym::sim
