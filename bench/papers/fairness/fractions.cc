#include "papers/fairness/fractions.h"

#include <algorithm>
#include <tuple>

namespace ym::sim::fairness {
namespace {

// As there: fractions are computed again once jobs have come or gone, but not sooner than this.
constexpr Micros kLeastBetween = 1000 * kSecond;

}  // namespace

bool ByFractions::is_due(const Round& round) const {
  return promises_.empty() || (changed_ && round.now_us - promised_us_ >= kLeastBetween);
}

void ByFractions::promise(const Round& round) {
  const Fractions fractions = rule_(round);
  std::map<JobNumber, Promise> promises;
  for (std::size_t i = 0; i < round.jobs.size(); ++i) {
    const Present& job = round.jobs[i];
    Promise promise{.fraction = fractions[i], .done_us = job.done_us};
    if (const auto before = promises_.find(job.job); before != promises_.end()) {
      const Promise& old = before->second;
      const double owed_s = old.fraction * seconds_of(round.now_us - promised_us_);
      promise.deficit_s = old.deficit_s + owed_s - seconds_of(job.done_us - old.done_us);
    }
    promises[job.job] = promise;
  }
  promises_ = std::move(promises);
  promised_us_ = round.now_us;
  changed_ = false;
}

// Half a round is counted as received, so that it is finite.
double ByFractions::priority(const Present& job, const Round& round) const {
  const Promise& promise = promises_.at(job.job);
  return promise.fraction / seconds_of(job.done_us - promise.done_us + round.length_us / 2);
}

Order ByFractions::order(const Round& round) {
  std::erase_if(promises_, [&](const auto& promise) {
    const bool gone = std::ranges::find(round.jobs, promise.first, &Present::job) == round.jobs.end();
    changed_ = changed_ || gone;
    return gone;
  });
  for (const Present& job : round.jobs)
    if (!promises_.contains(job.job)) changed_ = true;
  if (is_due(round)) promise(round);
  for (const Present& job : round.jobs) promises_.try_emplace(job.job, Promise{.done_us = job.done_us});
  Order order;
  for (std::size_t i = 0; i < round.jobs.size(); ++i) order.push_back(i);
  const auto key = [&](std::size_t i) {
    const Promise& promise = promises_.at(round.jobs[i].job);
    return std::tuple(-priority(round.jobs[i], round), -promise.deficit_s, -promise.fraction, round.jobs[i].job);
  };
  std::ranges::sort(order, {}, key);
  return order;
}

Fractions level(const Round& round, const std::vector<double>& weights) {
  Fractions fractions(round.jobs.size(), 0);
  auto free = static_cast<double>(round.gpus);
  double weight = 0;
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < round.jobs.size(); ++i) {
    rest.push_back(i);
    weight += weights[i];
  }
  // Who reaches 1 first goes first.
  std::ranges::sort(rest, {},
                    [&](std::size_t i) { return std::pair(static_cast<double>(round.jobs[i].gpus) / weights[i], i); });
  for (const std::size_t i : rest) {
    const auto gpus = static_cast<double>(round.jobs[i].gpus);
    fractions[i] = std::min(1.0, free / weight * weights[i] / gpus);
    free -= fractions[i] * gpus;
    weight -= weights[i];
  }
  return fractions;
}

}  // namespace ym::sim::fairness
