#include "sim/workload/resample.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/random.h"

namespace ym::sim {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kWeek = 7;

using Days = std::vector<std::span<const TraceJob>>;

std::int64_t day_of(const TraceJob& job) { return job.submit_at.ms / kDayMs; }

// From the first day to the last, with days without jobs.
Days days_of(const std::vector<TraceJob>& jobs) {
  Days days;
  for (auto it = jobs.begin(); it != jobs.end();) {
    const auto day = day_of(jobs.front()) + static_cast<std::int64_t>(days.size());
    const auto end = std::ranges::find_if(it, jobs.end(), [&](const TraceJob& job) { return day_of(job) > day; });
    days.emplace_back(it, end);
    it = end;
  }
  return days;
}

std::size_t draw(Random& random, std::size_t day, std::size_t count) {
  std::vector<std::size_t> alike;
  for (std::size_t other = day % kWeek; other < count; other += kWeek) alike.push_back(other);
  return alike.size() > 1 ? alike[random.below(alike.size())] : random.below(count);
}

}  // namespace

std::vector<TraceJob> resampled(const std::vector<TraceJob>& jobs, std::uint64_t seed) {
  const Days days = days_of(jobs);
  Random random(seed);
  std::vector<TraceJob> made;
  for (std::size_t day = 0; day < days.size(); ++day) {
    const auto from = draw(random, day, days.size());
    const Duration later{(static_cast<std::int64_t>(day) - static_cast<std::int64_t>(from)) * kDayMs};
    for (TraceJob job : days[from]) {
      job.submit_at = job.submit_at + later;
      job.id = fmt::format("{}:{}", day, job.id.empty() ? fmt::format("line {}", job.line) : job.id);
      job.line = static_cast<std::int64_t>(made.size() + 1);
      if (job.spec && job.spec->deadline) {
        auto spec = std::make_shared<JobSpec>(*job.spec);
        spec->deadline = *spec->deadline + later;
        job.spec = std::move(spec);
      }
      made.push_back(std::move(job));
    }
  }
  return made;
}

}  // namespace ym::sim
