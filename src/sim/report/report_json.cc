#include "sim/report/report_json.h"

#include <boost/json/array.hpp>
#include <cmath>
#include <string>

namespace ym::sim {
namespace {

namespace json = boost::json;

double seconds_of(double ms) { return std::round(ms) / 1000; }
double hours_of(std::int64_t ms) { return std::round(static_cast<double>(ms) / 3600) / 1000; }

json::object to_json(const Distribution& times) {
  const auto at = [&](double q) { return seconds_of(static_cast<double>(times.quantile(q))); };
  return {{"mean", seconds_of(times.mean())}, {"p50", at(0.5)}, {"p90", at(0.9)}, {"p99", at(0.99)}, {"max", at(1)}};
}

json::object to_json(const JobFigures& figures) {
  json::object states;
  for (const auto& [state, count] : figures.ended) states[to_string(state)] = count;
  json::object object{{"jobs", figures.jobs},
                      {"wait_seconds", to_json(figures.waits)},
                      {"completion_seconds", to_json(figures.completions)},
                      {"states", std::move(states)},
                      {"preemptions", figures.preemptions},
                      {"used_gpu_hours", hours_of(figures.used_gpu_ms)},
                      {"lost_gpu_hours", hours_of(figures.lost_gpu_ms)}};
  if (figures.with_deadline > 0)
    object["deadlines"] = json::object{{"jobs", figures.with_deadline}, {"missed", figures.late}};
  return object;
}

double utilisation(const SimulationEnd& end) {
  const auto held = static_cast<double>(end.gpus) * static_cast<double>((end.end - end.begin).ms);
  return held <= 0 ? 0 : std::round(static_cast<double>(end.used_gpu_ms) / held * 1e4) / 1e4;
}

}  // namespace

json::object to_json(const SimulationEnd& end, const Summary& summary) {
  json::object object{{"begin", to_rfc3339(end.begin)},
                      {"end", to_rfc3339(end.end)},
                      {"makespan_seconds", seconds_of(static_cast<double>((end.end - end.begin).ms))},
                      {"gpus", end.gpus},
                      {"utilisation", utilisation(end)},
                      {"submitted", end.submitted},
                      {"refused", end.refused},
                      {"first_refusal", end.first_refusal},
                      {"rows_passed_over", end.passed_over},
                      {"moved_to_default", end.moved_queue},
                      {"never_started", end.never_started},
                      {"unfinished", end.unfinished},
                      {"all", to_json(summary.all)}};
  json::array queues, sizes;
  for (const auto& [queue, figures] : summary.by_queue) {
    queues.push_back(to_json(figures));
    queues.back().as_object()["queue"] = queue;
  }
  for (const auto& [gpus, figures] : summary.by_gpus) {
    sizes.push_back(to_json(figures));
    sizes.back().as_object()["gpus_up_to"] = gpus;
  }
  object["queues"] = std::move(queues);
  object["sizes"] = std::move(sizes);
  object["cycles"] = end.cycles;
  object["events"] = end.events;
  return object;
}

void add_timeline(json::object& figures, const SimulationEnd& end, const Summary& summary) {
  json::object means;
  for (const auto& [name, values] : end.timeline.means()) {
    json::array list;
    for (const double value : values) list.push_back(std::round(value));
    means[name] = std::move(list);
  }
  figures["timeline"] = json::object{{"begin", to_rfc3339(end.timeline.began())},
                                     {"width_seconds", seconds_of(static_cast<double>(end.timeline.width().ms))},
                                     {"means", std::move(means)}};
  constexpr int kQuantiles = 100;
  json::array waits;
  for (int q = 0; q <= kQuantiles; ++q)
    waits.push_back(seconds_of(static_cast<double>(summary.all.waits.quantile(static_cast<double>(q) / kQuantiles))));
  figures["wait_quantiles"] = std::move(waits);
}

}  // namespace ym::sim
