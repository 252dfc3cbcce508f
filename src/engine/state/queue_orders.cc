#include "engine/state/queue_orders.h"

#include <algorithm>
#include <limits>

#include "engine/state/deadlines.h"
#include "engine/state/run_times.h"

namespace ym::engine {

QueueOrders::QueueOrders(const std::map<std::string, Queue>& rows, const Names<QueueIndex>& queue_names)
    : rules_(queue_names.size()) {
  for (const auto& [name, row] : rows) {
    Rule& rule = rules_[queue_names.find(name)];
    rule = {
        .own = row.order != JobOrder::fifo || row.fair_users || (row.age_boost.most > 0 && row.age_boost.every.ms > 0),
        .fair_users = row.fair_users,
        .order = row.order,
        .boost = row.age_boost,
        .levels = row.service_levels};
    any_ = any_ || rule.own;
    any_fair_users_ = any_fair_users_ || rule.fair_users;
  }
}

DequeueKey QueueOrders::dequeue_key(const JobRow& job, QueueIndex queue, Instant now) const {
  const Rule& rule = rules_[queue];
  return {.urgency = -boosted(rule, job, now),
          .rule = by_rule(rule, job, now),
          .submitted_at = job.submitted_at,
          .id = job.id};
}

std::int64_t QueueOrders::boosted(const Rule& rule, const JobRow& job, Instant now) {
  if (rule.boost.most <= 0 || rule.boost.every.ms <= 0 || now <= job.waits_since) return job.priority;
  const std::int64_t points = (now - job.waits_since).ms / rule.boost.every.ms;
  return job.priority + std::min<std::int64_t>(points, rule.boost.most);
}

// A job that may miss its deadline comes after all jobs that still meet theirs: it would only make these late too.
std::int64_t QueueOrders::by_rule(const Rule& rule, const JobRow& job, Instant now) {
  constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  switch (rule.order) {
    case JobOrder::fifo: return 0;
    case JobOrder::shortest_first: return declared_or_own_run_time(job).value_or(Duration{kLast}).ms;
    case JobOrder::least_attained_service:
      if (rule.levels.empty()) return job.attained_gpu_ms;
      return std::ranges::count_if(rule.levels, [&](Duration level) { return level.ms <= job.attained_gpu_ms; });
    case JobOrder::deadline:
      if (!job.deadline) return kLast - 1;
      return is_late(job, now) ? kLast : job.deadline->ms;
  }
  return 0;
}

}  // namespace ym::engine
