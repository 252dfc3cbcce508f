#include "sim/report/report_json.h"

#include <boost/json/array.hpp>
#include <cmath>
#include <string>

namespace ym::sim {
namespace {

namespace json = boost::json;

double seconds_of(double ms) { return std::round(ms) / 1000; }
double hours_of(std::int64_t ms) { return std::round(static_cast<double>(ms) / 3600) / 1000; }

double money_of(std::int64_t micros) { return std::round(static_cast<double>(micros) / 1e4) / 1e2; }

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
  if (figures.cost_micros > 0) object["cost"] = money_of(figures.cost_micros);
  if (figures.with_deadline > 0)
    object["deadlines"] = json::object{{"jobs", figures.with_deadline}, {"missed", figures.late}};
  return object;
}

json::array to_json(const TraceRemarks& remarks) {
  json::array kinds;
  for (const auto& [why, rows, first_line] : remarks.skipped)
    kinds.push_back({{"why", why}, {"rows", rows}, {"first_line", first_line}});
  return kinds;
}

json::array texts(const std::vector<std::string>& list) { return json::array(list.begin(), list.end()); }

json::array to_json(const std::vector<NeverRuns>& jobs) {
  json::array named;
  for (const auto& [line, id, why] : jobs) named.push_back({{"line", line}, {"id", id}, {"why", why}});
  return named;
}

// Relative to all GPU time that was available.
double share_of_all(double gpu_ms, const SimulationEnd& end) {
  const auto all = static_cast<double>(end.gpu_milli) / kMilli * static_cast<double>((end.end - end.begin).ms);
  return all <= 0 ? 0 : std::round(gpu_ms / all * 1e4) / 1e4;
}

json::object to_json(const Fairness& fairness) {
  const auto at = [&](double q) { return static_cast<double>(fairness.slowdowns_milli().quantile(q)) / kMilli; };
  json::object object{{"slowdown_p50", at(0.5)}, {"slowdown_p99", at(0.99)}};
  if (fairness.users() > 1) object["users"] = std::round(fairness.index() * 1e4) / 1e4;
  return object;
}

template <class Figures>
json::array by_kind(const Figures& kinds, const char* name) {
  json::array all;
  for (const auto& [kind, figures] : kinds) {
    all.push_back(to_json(figures));
    all.back().as_object()[name] = kind;
  }
  return all;
}

json::array quantiles(const Distribution& times) {
  constexpr int kQuantiles = 100;
  json::array all;
  for (int q = 0; q <= kQuantiles; ++q)
    all.push_back(seconds_of(static_cast<double>(times.quantile(static_cast<double>(q) / kQuantiles))));
  return all;
}

}  // namespace

json::object to_json(const SimulationEnd& end, const Summary& summary) {
  json::object object{{"begin", to_rfc3339(end.begin)},
                      {"end", to_rfc3339(end.end)},
                      {"makespan_seconds", seconds_of(static_cast<double>((end.end - end.begin).ms))},
                      {"gpus", end.gpu_milli / kMilli},
                      {"utilisation", share_of_all(static_cast<double>(end.used_gpu_ms), end)},
                      {"fragmentation", share_of_all(static_cast<double>(end.scattered_gpu_ms), end)},
                      {"idle_while_waiting", share_of_all(static_cast<double>(end.idle_while_waiting_gpu_ms), end)},
                      {"fairness", to_json(summary.fairness)},
                      {"submitted", end.submitted},
                      {"refused", end.refused},
                      {"first_refusal", end.first_refusal},
                      {"rows_passed_over", end.passed_over},
                      {"passed_over", to_json(end.remarks)},
                      {"columns_left_out", texts(end.remarks.columns)},
                      {"moved_to_default", end.moved_queue},
                      {"never_started", end.never_started},
                      {"can_never_run", end.can_never_run},
                      {"can_never_run_first", to_json(end.never)},
                      {"unfinished", end.unfinished},
                      {"all", to_json(summary.all)}};
  if (end.cost_micros > 0) object["cost"] = money_of(end.cost_micros);
  object["queues"] = by_kind(summary.by_queue, "queue");
  object["sizes"] = by_kind(summary.by_gpus, "gpus_up_to");
  object["priorities"] = by_kind(summary.by_priority, "priority");
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
  figures["wait_quantiles"] = quantiles(summary.all.waits);
  figures["completion_quantiles"] = quantiles(summary.all.completions);
}

}  // namespace ym::sim
