// StartForecasts: forecasts of the starts of jobs, and their actual starts. start_accuracy.h evaluates them.
//
// A waiting job gets a forecast at its submit, at most one job in each interval. It is the same forecast as in a
// server, and it learns from the actual starts as there (engine/forecast/start_trials.h). No forecast uses what came
// after it.
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
  engine::Forecast made{};                         // without its starts; with the margins of that moment
  std::optional<engine::PredictedStart> foreseen;  // from the forecast's runs
  std::optional<engine::NoStart> none;             // or why they give no start
  std::optional<Instant> started_at;
};

class StartForecasts {
 public:
  // 0: no forecasts.
  explicit StartForecasts(Duration every) : every_(every) {}

  bool is_due(Instant now) const { return every_.ms > 0 && now >= next_; }
  // A forecast was made at the submit of this job.
  void made(JobId job, const std::string& queue, engine::Forecast forecast);
  void follow(const Event& event);

  // In the order of time.
  std::vector<StartForecast> take() { return std::move(all_); }

 private:
  const Duration every_;
  Instant next_;
  engine::StartTrials trials_;
  std::vector<StartForecast> all_;
  std::map<JobId, std::size_t> waiting_;  // indices into all_, for jobs that have not started
};

}  // namespace ym::sim
