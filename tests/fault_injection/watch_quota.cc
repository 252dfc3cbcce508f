#include "fault_injection/watch_quota.h"

#include <fmt/format.h>

namespace ym::sim {
namespace {

constexpr auto kGpus = static_cast<std::size_t>(ResourceKind::gpus);

std::optional<Quota> gpu_quota(const Queue& queue) {
  return queue.quota && queue.quota->begin() != queue.quota->end() ? queue.quota->begin()->second[kGpus] : std::nullopt;
}

std::int64_t gpus_of(const std::string& queue, const Tables& tables) {
  std::int64_t milli = 0;
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state != AttemptState::ended && attempt.queue == queue)
      milli += tables.jobs.at(key.job).spec->resources.gpus * static_cast<std::int64_t>(attempt.placement.size());
  return milli;
}

}  // namespace

void QuotaWatch::committed(const std::vector<Event>& events, const Tables& tables) {
  for (const Event& event : events)
    if (const auto* admitted = std::get_if<AttemptAdmitted>(&event.payload))
      this->admitted(admitted->attempt.queue, tables);
}

void QuotaWatch::admitted(const std::string& name, const Tables& tables) {
  const auto queue = tables.queues.find(name);
  const auto quota = queue == tables.queues.end() ? std::nullopt : gpu_quota(queue->second);
  if (!quota) return;
  const auto used = gpus_of(name, tables);
  if (quota->borrowing_limit && used > quota->nominal + *quota->borrowing_limit)
    findings_.add(Promise::capacity_holds, fmt::format("queue {} uses {} of {} and {} borrowed", name, used,
                                                       quota->nominal, *quota->borrowing_limit));
  std::int64_t all = 0, has = 0;
  for (const auto& [other, row] : tables.queues) {
    const auto its = row.parent == queue->second.parent ? gpu_quota(row) : std::nullopt;
    if (!its) continue;
    all += gpus_of(other, tables);
    has += its->nominal;
  }
  if (all > has)
    findings_.add(Promise::capacity_holds, fmt::format("the queues beside {} use {} of {}", name, all, has));
}

}  // namespace ym::sim
