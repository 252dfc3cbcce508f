#include "sim/simulate/summary.h"

#include <algorithm>
#include <bit>

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
  with_deadline += record.deadline.has_value();
  late += record.deadline && !(record.state == JobState::succeeded && record.ended_at <= *record.deadline);
  if (!record.started_at) return;
  waits.add((*record.started_at - record.submitted_at).ms);
  completions.add((record.ended_at - record.submitted_at).ms);
}

void Summary::add(const JobRecord& record) {
  const auto gpus = static_cast<std::uint64_t>((record.gpu_milli + 999) / 1000);
  all.add(record);
  by_queue[record.queue].add(record);
  by_gpus[static_cast<std::int64_t>(gpus == 0 ? 0 : std::bit_ceil(gpus))].add(record);
}

}  // namespace ym::sim
