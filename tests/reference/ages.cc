#include "reference/ages.h"

#include <algorithm>

namespace ym::reference {

Duration Ages::cap_of(const Job& job) const { return t_.queues.at(job.queue).age_cap.value_or(age_cap_); }

Duration Ages::wait_of_queue(const std::string& queue) const {
  std::int64_t sum = 0, jobs = 0;
  for (const auto& [id, job] : t_.jobs) {
    const Attempt* attempt = t_.live_attempt(id);
    if (!attempt || attempt->queue != queue || !attempt->started_at) continue;
    sum += std::max<std::int64_t>(0, (attempt->admitted_at - job.waits_since).ms);
    jobs += 1;
  }
  return {jobs == 0 ? 0 : sum / jobs};
}

Instant Ages::aged_at(const Job& job, Instant now) const {
  const Duration cap = cap_of(job);
  if (now <= job.waits_since + cap) return job.waits_since + cap;
  return job.waits_since + std::max(cap, Duration{2 * wait_of_queue(job.queue).ms});
}

Instant Ages::neglected_at(const Job& job, Instant now) const {
  const Instant old_from = aged_at(job, now) + Duration{1};
  return job.waits_since + std::max(Duration{42 * cap_of(job).ms}, Duration{4 * (old_from - job.waits_since).ms});
}

std::optional<Instant> Ages::late_from(const Job& job, Instant now) const {
  const JobSpec& spec = *job.spec;
  if (t_.queues.at(job.queue).order != JobOrder::deadline || !spec.deadline) return std::nullopt;
  const Duration needed = spec.time_limit.value_or(Duration{});
  return now + needed <= *spec.deadline ? std::optional(*spec.deadline - needed + Duration{1}) : std::nullopt;
}

Duration Ages::shortest(const std::vector<Wish>& waiting) const {
  Duration shortest = hours(1'000'000);
  for (const Wish& wish : waiting) shortest = std::min(shortest, cap_of(*wish.job));
  return shortest;
}

bool Ages::has_own_order(const Job& job) const {
  const Queue& queue = t_.queues.at(job.queue);
  return queue.order != JobOrder::fifo || queue.fair_users ||
         (queue.age_boost.most > 0 && queue.age_boost.every.ms > 0);
}

}  // namespace ym::reference
