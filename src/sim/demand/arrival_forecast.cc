#include "sim/demand/arrival_forecast.h"

#include <algorithm>
#include <cmath>

namespace ym::sim {
namespace {

constexpr std::size_t kFeatures = 7;

}  // namespace

ArrivalForecast::ArrivalForecast(Instant since, ArrivalOptions options)
    : options_(options),
      latest_(begin_of_day(day_of(since))),
      first_hour_(hour_of(latest_)),
      hour_(first_hour_),
      regression_(kFeatures, options.forget),
      alike_(options.alike),
      band_(options.errors_kept),
      begun_(view(latest_)) {}

void ArrivalForecast::submitted(Instant at) {
  advance(at);
  recent_.push_back(latest_);
}

ArrivalsPrediction ArrivalForecast::next_hour(Instant now) {
  advance(now);
  return predict(view(latest_));
}

std::array<double, kHoursOfDay> ArrivalForecast::next_day(Instant now) {
  advance(now);
  return hours_of_day_.predict(hour_);
}

void ArrivalForecast::advance(Instant now) {
  latest_ = std::max(latest_, now);
  while (begin_of_hour(hour_ + 1) <= latest_) close_hour();
}

void ArrivalForecast::close_hour() {
  const Instant begin = begin_of_hour(hour_), end = begin_of_hour(hour_ + 1);
  const double arrivals = actual(begin, end);
  if (hour_ - first_hour_ >= options_.settle_hours) band_.add(predicted_at_begin_, arrivals);
  regression_.learn(begun_.features, std::log1p(arrivals));
  alike_.learn(begun_.place, arrivals);
  hours_of_day_.learn(hour_, arrivals);
  hour_ += 1;
  while (!recent_.empty() && recent_.front() < end - hours(24)) recent_.pop_front();
  begun_ = view(end);
  predicted_at_begin_ = predict(begun_).typical;
}

// Jobs in [from, to). Jobs of the moment of the question are not known yet.
double ArrivalForecast::actual(Instant from, Instant to) const {
  const auto first = std::ranges::lower_bound(recent_, from), last = std::ranges::lower_bound(recent_, to);
  return static_cast<double>(last - first);
}

ArrivalForecast::View ArrivalForecast::view(Instant now) const {
  const double ten_minutes = actual(now - minutes(10), now), hour = actual(now - hours(1), now);
  const double yesterday = actual(now - hours(24), now - hours(23));
  return {.features = {1, std::log1p(ten_minutes), std::log1p(hour), std::log1p(actual(now - hours(3), now)),
                       std::log1p(actual(now - hours(24), now)), is_weekend(day_of(now)) ? 1.0 : 0.0,
                       std::log1p(yesterday)},
          .place = {std::log1p(6 * ten_minutes), std::log1p(hour), std::log1p(actual(now - hours(6), now) / 6) / 2}};
}

ArrivalsPrediction ArrivalForecast::predict(const View& view) const {
  ArrivalsPrediction predicted;
  predicted.regression = std::max(0.0, std::expm1(regression_.predict(view.features)));
  predicted.alike = alike_.predict(view.place);
  predicted.typical = predicted.alike ? (predicted.regression + *predicted.alike) / 2 : predicted.regression;
  predicted.range = band_.around(predicted.typical);
  return predicted;
}

}  // namespace ym::sim
