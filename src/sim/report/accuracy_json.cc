#include "sim/report/accuracy_json.h"

#include <boost/json/array.hpp>
#include <cmath>
#include <string>

namespace ym::sim {
namespace {

namespace json = boost::json;

constexpr double kUnit = 1000;

double share(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0 : std::round(static_cast<double>(part) / static_cast<double>(all) * 1e4) / 1e4;
}

double median(const Distribution& of) { return static_cast<double>(of.quantile(0.5)) / kUnit; }

json::object to_json(const RangeFigures& figures) {
  const auto jobs = figures.jobs();
  return {{"jobs", jobs},
          {"inside", share(figures.inside, jobs)},
          {"early", share(figures.early, jobs)},
          {"late", share(figures.late, jobs)},
          {"open", share(figures.open, jobs)},
          {"width_seconds", median(figures.widths_ms)},
          {"width", median(figures.widths_milli)}};
}

// The class of the longest waits comes last; it has no upper limit.
json::array by_wait(const std::map<std::int64_t, RangeFigures>& classes) {
  json::array all;
  for (const bool is_last : {false, true})
    for (const auto& [up_to, figures] : classes) {
      if ((up_to == 0) != is_last) continue;
      json::object one = to_json(figures);
      one["up_to_seconds"] = is_last ? json::value(nullptr) : json::value(up_to);
      all.push_back(std::move(one));
    }
  return all;
}

json::array margins_of(const std::map<std::string, engine::StartMargins>& margins) {
  json::array all;
  for (const auto& [queue, margin] : margins)
    all.push_back(json::object{{"queue", queue},
                               {"early", static_cast<double>(margin.early_milli) / kUnit},
                               {"late", static_cast<double>(margin.late_milli) / kUnit}});
  return all;
}

}  // namespace

json::object to_json(const StartAccuracy& accuracy) {
  json::object none;
  for (const auto& [cause, count] : accuracy.none) none[to_string(cause)] = count;
  return {{"made", accuracy.made},
          {"ahead", accuracy.ahead},
          {"no_estimate", std::move(none)},
          {"not_started", accuracy.waiting},
          {"error", median(accuracy.errors_milli)},
          {"said", to_json(accuracy.predicted)},
          {"learnt_on_first_half", to_json(accuracy.learnt_before)},
          {"nothing_learnt", to_json(accuracy.plain)},
          {"by_wait", by_wait(accuracy.predicted_by_wait)},
          {"margins", margins_of(accuracy.margins)}};
}

}  // namespace ym::sim
