#include "sim/report/over_seeds.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "base/assert.h"

namespace ym::sim {
namespace {

namespace json = boost::json;

struct Estimate {
  double mean = 0, half = 0;  // half: half of the 95 % confidence interval
};

Estimate estimate(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  for (const double value : values) squares += (value - sum / n) * (value - sum / n);
  const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
  return {sum / n, t * std::sqrt(squares / (n - 1) / n)};
}

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

// Absent if the run has no such number: no preemption, no deadline.
double number_in(const json::value& run, const std::vector<std::string>& path) {
  const json::value* at = &run;
  for (const auto& key : path) {
    const auto* object = at->if_object();
    at = object == nullptr ? nullptr : object->if_contains(key);
    if (at == nullptr) return 0;
  }
  return at->is_number() ? at->to_number<double>() : 0;
}

// Calls `visit` with the path of each number of `value` outside lists.
template <class Visit>
void each_number(const json::value& value, std::vector<std::string>& path, const Visit& visit) {
  if (value.is_number()) return visit(path);
  const auto* object = value.if_object();
  if (object == nullptr) return;
  for (const auto& [key, member] : *object) {
    path.emplace_back(key);
    each_number(member, path, visit);
    path.pop_back();
  }
}

void put(json::object& into, const std::vector<std::string>& path, double value) {
  json::object* at = &into;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    auto& next = (*at)[path[i]];
    if (!next.is_object()) next.emplace_object();
    at = &next.get_object();
  }
  (*at)[path.back()] = rounded(value);
}

// `value`: the number of a run, by the run's index.
template <class Value>
void estimate_all(const json::array& runs, json::object& means, json::object& halves, const Value& value) {
  std::vector<std::string> path;
  each_number(runs.front(), path, [&](const std::vector<std::string>& of) {
    std::vector<double> values;
    for (std::size_t run = 0; run < runs.size(); ++run) values.push_back(value(run, of));
    const auto [mean, half] = estimate(values);
    put(means, of, mean);
    put(halves, of, half);
  });
}

}  // namespace

json::object over_seeds(const json::array& runs) {
  YM_ASSERT(runs.size() >= 2);
  json::object means = runs.front().as_object(), halves;
  estimate_all(runs, means, halves, [&](std::size_t run, const auto& path) { return number_in(runs[run], path); });
  means["ci95"] = std::move(halves);
  return means;
}

json::object difference(const json::array& runs, const json::array& base) {
  YM_ASSERT(runs.size() >= 2 && runs.size() == base.size());
  json::object means, halves;
  estimate_all(runs, means, halves, [&](std::size_t run, const auto& path) {
    return number_in(runs[run], path) - number_in(base[run], path);
  });
  means["ci95"] = std::move(halves);
  return means;
}

}  // namespace ym::sim
