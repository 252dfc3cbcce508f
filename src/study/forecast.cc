#include "study/forecast.h"

#include <array>
#include <boost/json/array.hpp>
#include <cmath>

#include "sim/demand/arrival_forecast.h"
#include "sim/demand/day_forecast.h"
#include "sim/demand/forecast_errors.h"
#include "sim/demand/history.h"
#include "sim/demand/size_forecast.h"
#include "study/rounded.h"
#include "study/runs.h"

namespace ym::study {
namespace {

namespace json = boost::json;

json::value to_json(const std::optional<sim::Range>& range) {
  if (!range) return nullptr;
  return json::object{{"low", rounded(range->low)}, {"high", rounded(range->high)}};
}

json::object to_json(const sim::DayFigure& figure) {
  return {{"typical", rounded(figure.typical)}, {"range", to_json(figure.range)}};
}

json::array sizes_of(const sim::SizeShares& shares) {
  constexpr std::array<std::int64_t, sim::kSizeClasses> kUpTo{1, 2, 4, 8, 16, 32, 0};
  json::array sizes;
  for (std::size_t i = 0; i < shares.size(); ++i)
    sizes.push_back(
        {{"gpus_up_to", kUpTo[i] > 0 ? json::value(kUpTo[i]) : json::value(nullptr)}, {"share", rounded(shares[i])}});
  return sizes;
}

json::object to_json(const sim::DayErrors& errors) {
  return {{"yesterday", rounded(errors.yesterday)},
          {"median_of_week", rounded(errors.median_of_week)},
          {"said", rounded(errors.predicted)},
          {"in_range", rounded(errors.range.inside)}};
}

// Nothing: the history is too short to judge the forecasts.
json::value errors_of(const std::vector<sim::PastJob>& jobs, std::int32_t warm_up_days) {
  const auto trials = sim::walk_forward(jobs);
  if (!trials) return nullptr;
  const auto errors = sim::forecast_errors(*trials, jobs, {.warm_up_days = warm_up_days});
  if (!errors) return nullptr;
  return json::object{{"next_hour",
                       {{"last_hour", rounded(errors->next_hour.last_hour)},
                        {"yesterday", rounded(errors->next_hour.yesterday)},
                        {"said", rounded(errors->next_hour.typical)},
                        {"in_range", rounded(errors->next_hour.range.inside)}}},
                      {"jobs", to_json(errors->jobs)},
                      {"gpu_hours", to_json(errors->gpu_hours)},
                      {"gpus_in_use", to_json(errors->gpus_in_use)},
                      {"run_times",
                       {{"within_factor_2", rounded(errors->run_times.predicted.within_factor_2)},
                        {"newest_64_within_factor_2", rounded(errors->run_times.newest_64.within_factor_2)}}}};
}

}  // namespace

Result<json::object> forecast(const ForecastOptions& options) {
  auto workload = workload_of(options.simulate);
  if (!workload) return std::unexpected(workload.error());
  const auto jobs = sim::past_jobs(*workload);
  if (!jobs) return std::unexpected(jobs.error());
  const Instant now = jobs->back().submit_at;
  auto days = sim::days_after(*jobs);
  sim::ArrivalForecast arrivals(jobs->front().submit_at);
  sim::SizeForecast sizes(jobs->front().submit_at);
  for (const auto& job : *jobs) {
    arrivals.submitted(job.submit_at);
    sizes.submitted(job.submit_at, job.gpus);
  }
  const auto hour = arrivals.next_hour(now);
  const auto day = days.next_day(now);
  json::array hours;
  for (const double count : arrivals.next_day(now)) hours.push_back(rounded(count));
  return json::object{
      {"workload", options.simulate.workload},
      {"jobs", static_cast<std::int64_t>(jobs->size())},
      {"as_of", to_rfc3339(now)},
      {"next_hour", {{"typical", rounded(hour.typical)}, {"range", to_json(hour.range)}}},
      {"hours", std::move(hours)},
      {"next_day",
       {{"jobs", to_json(day.jobs)}, {"gpu_hours", to_json(day.gpu_hours)}, {"gpus_in_use", to_json(day.gpus_in_use)}}},
      {"sizes", sizes_of(sizes.next_days(now))},
      {"errors", errors_of(*jobs, options.warm_up_days)}};
}

}  // namespace ym::study
