#include "sim/demand/size_forecast.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace ym::sim {
namespace {

constexpr double kPrior = 0.5;  // jobs of each size before the first one
constexpr double kSinglePrior = 0.5, kMultiPrior = 0.001;
constexpr double kLeanHour = 0.001;  // weight of all jobs so far
constexpr double kLeanDaysJobs = 10;

double sum(const SizeShares& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

std::size_t size_class(std::int64_t gpus) {
  if (gpus <= 1) return 0;
  const auto doublings = std::bit_width(static_cast<std::uint64_t>(gpus - 1));
  return std::min(static_cast<std::size_t>(doublings), kSizeClasses - 1);
}

SizeForecast::SizeForecast(Instant since, SizeOptions options) : options_(options), hour_(day_of(since) * kHoursOfDay) {
  total_.fill(kPrior);
}

void SizeForecast::submitted(Instant at, std::int64_t gpus) {
  advance(at);
  this_hour_[size_class(gpus)] += 1;
}

void SizeForecast::advance(Instant now) {
  while (begin_of_hour(hour_ + 1) <= now) close_hour();
}

void SizeForecast::close_hour() {
  for (std::size_t i = 0; i < kSizeClasses; ++i) {
    const double keep = std::exp2(-1 / (i == 0 ? options_.single_half_life_hours : options_.multi_half_life_hours));
    rates_[i] = rates_[i] * keep + this_hour_[i];
    hours_seen_[i] = hours_seen_[i] * keep + 1;
    decayed_[i] = decayed_[i] * std::exp2(-1 / options_.days_half_life_hours) + this_hour_[i];
    total_[i] += this_hour_[i];
  }
  this_hour_.fill(0);
  hour_ += 1;
}

SizeShares SizeForecast::ever() const {
  SizeShares shares = total_;
  for (double& share : shares) share /= sum(total_);
  return shares;
}

SizeShares SizeForecast::all_time(Instant now) {
  advance(now);
  return ever();
}

SizeShares SizeForecast::next_hour(Instant now) {
  advance(now);
  const SizeShares base = ever();
  SizeShares rates = base;
  for (std::size_t i = 0; i < kSizeClasses; ++i) {
    if (hours_seen_[i] > 0) rates[i] = (rates_[i] + (i == 0 ? kSinglePrior : kMultiPrior)) / hours_seen_[i];
  }
  SizeShares shares{};
  for (std::size_t i = 0; i < kSizeClasses; ++i) {
    shares[i] = (1 - kLeanHour) * rates[i] / sum(rates) + kLeanHour * base[i];
  }
  return shares;
}

SizeShares SizeForecast::next_days(Instant now) {
  advance(now);
  SizeShares shares = ever();
  for (std::size_t i = 0; i < kSizeClasses; ++i) {
    shares[i] = (decayed_[i] + kLeanDaysJobs * shares[i]) / (sum(decayed_) + kLeanDaysJobs);
  }
  return shares;
}

}  // namespace ym::sim
