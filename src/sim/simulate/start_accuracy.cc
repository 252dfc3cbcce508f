#include "sim/simulate/start_accuracy.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace ym::sim {
namespace {

constexpr std::int64_t kWhole = 1000;

// In thousandths of `measure`, which is at least one minute.
std::int64_t milli_of(std::int64_t ms, Duration measure) { return ms * kWhole / std::max(measure, minutes(1)).ms; }

std::int64_t class_of(Duration wait) {
  constexpr std::array kUpTo{minutes(10), hours(2), hours(12)};
  for (const Duration most : kUpTo)
    if (wait <= most) return most.ms / kWhole;
  return 0;
}

engine::PredictedStart prediction_with(const StartForecast& one,
                                       const std::map<std::string, engine::StartMargins>& margins) {
  engine::Forecast made = one.made;
  made.margins = margins;
  return engine::adjusted_at(made, one.queue, *one.foreseen, made.as_of);
}

}  // namespace

void RangeFigures::add(const engine::PredictedStart& predicted, Instant predicted_at, Instant started_at) {
  if (started_at < predicted.low) early += 1;
  else if (predicted.high && started_at > *predicted.high) late += 1;
  else inside += 1;
  if (!predicted.high) {
    open += 1;
    return;
  }
  widths_ms.add((*predicted.high - predicted.low).ms);
  widths_milli.add(milli_of((*predicted.high - predicted.low).ms, predicted.median - predicted_at));
}

StartAccuracy accuracy_of(const std::vector<StartForecast>& forecasts) {
  StartAccuracy accuracy{.made = std::ssize(forecasts)};
  std::vector<const StartForecast*> ahead;
  for (const StartForecast& one : forecasts) {
    if (one.none) accuracy.none[*one.none] += 1;
    if (one.foreseen && one.foreseen->median > one.made.as_of) ahead.push_back(&one);
  }
  accuracy.ahead = std::ssize(ahead);
  if (ahead.empty()) return accuracy;
  accuracy.margins = ahead.back()->made.margins;
  const auto half = ahead.begin() + std::ssize(ahead) / 2;
  for (auto it = half; it != ahead.end(); ++it) {
    const StartForecast& one = **it;
    const Instant then = one.made.as_of;
    accuracy.waiting += one.started_at ? 0 : 1;
    if (!one.started_at) continue;
    const auto predicted = prediction_with(one, one.made.margins);
    accuracy.predicted.add(predicted, then, *one.started_at);
    accuracy.predicted_by_wait[class_of(predicted.median - then)].add(predicted, then, *one.started_at);
    accuracy.learnt_before.add(prediction_with(one, (*half)->made.margins), then, *one.started_at);
    accuracy.plain.add(prediction_with(one, {}), then, *one.started_at);
    accuracy.errors_milli.add(milli_of(std::abs((*one.started_at - predicted.median).ms), *one.started_at - then));
  }
  return accuracy;
}

}  // namespace ym::sim
