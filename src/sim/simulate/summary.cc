#include "sim/simulate/summary.h"

#include <algorithm>
#include <bit>

#include "model/resources.h"

namespace ym::sim {

std::int64_t Distribution::quantile(double q) const {
  if (values_.empty()) return 0;
  const auto n = values_.size();
  const auto index = std::min(n - 1, static_cast<std::size_t>(q * static_cast<double>(n)));
  const auto at = values_.begin() + static_cast<std::ptrdiff_t>(index);
  std::ranges::nth_element(values_, at);
  return *at;
}

void JobFigures::add(const JobRecord& record) {
  jobs += 1;
  ended[record.state] += 1;
  preemptions += record.preemptions;
  lost_gpu_ms += record.lost_gpu_ms;
  used_gpu_ms += record.used_gpu_ms;
  cost_micros += record.cost_micros;
  with_deadline += record.deadline.has_value();
  late += record.deadline && !(record.state == JobState::succeeded && record.ended_at <= *record.deadline);
  if (!record.started_at) return;
  waits.add((*record.started_at - record.submitted_at).ms);
  completions.add((record.ended_at - record.submitted_at).ms);
}

void Fairness::add(const JobRecord& record) {
  constexpr std::int64_t kLeastMs = 10'000;
  if (!record.started_at) return;
  const auto took = (record.ended_at - record.submitted_at).ms;
  const auto ran = std::min(record.run_time.ms, (record.ended_at - *record.started_at).ms);
  const auto slowdown = std::max<std::int64_t>(kMilli, took * kMilli / std::max(kLeastMs, ran));
  slowdowns_.add(slowdown);
  User& user = users_[record.user];
  user.sum += static_cast<double>(slowdown);
  user.jobs += 1;
}

double Fairness::index() const {
  double sum = 0, squares = 0;
  for (const auto& [name, user] : users_) {
    const double mean = user.sum / static_cast<double>(user.jobs);
    sum += mean;
    squares += mean * mean;
  }
  return users_.empty() ? 1 : sum * sum / squares / static_cast<double>(users_.size());
}

void Summary::add(const JobRecord& record) {
  const auto gpus = static_cast<std::uint64_t>((record.gpu_milli + 999) / 1000);
  all.add(record);
  by_queue[record.queue].add(record);
  by_priority[record.priority].add(record);
  fairness.add(record);
  by_gpus[static_cast<std::int64_t>(gpus == 0 ? 0 : std::bit_ceil(gpus))].add(record);
}

}  // namespace ym::sim
