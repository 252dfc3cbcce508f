#include "sim/simulate/start_forecasts.h"

#include <utility>

namespace ym::sim {

void StartForecasts::made(JobId job, const std::string& queue, engine::Forecast forecast) {
  next_ = forecast.as_of + every_;
  trials_.settle(forecast.as_of);
  StartForecast one{.queue = queue, .foreseen = {}, .none = {}, .started_at = {}};
  if (const auto start = forecast.starts.find(job); start != forecast.starts.end()) one.foreseen = start->second;
  if (const auto cause = forecast.without.find(job); cause != forecast.without.end()) one.none = cause->second;
  forecast.starts.clear();
  forecast.without.clear();
  forecast.margins = trials_.margins();
  one.made = std::move(forecast);
  const bool is_ahead = one.foreseen && one.foreseen->median > one.made.as_of;
  if (is_ahead) trials_.predicted(job, queue, engine::adjusted_at(one.made, queue, *one.foreseen, one.made.as_of));
  waiting_.emplace(job, all_.size());
  all_.push_back(std::move(one));
}

void StartForecasts::follow(const Event& event) {
  trials_.follow(event);
  const auto* started = std::get_if<AttemptStarted>(&event.payload);
  if (started == nullptr) return;
  const auto found = waiting_.extract(started->attempt.job);
  if (!found.empty()) all_[found.mapped()].started_at = event.time;
}

}  // namespace ym::sim
