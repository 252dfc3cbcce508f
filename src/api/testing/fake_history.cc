#include "api/testing/fake_history.h"

#include <algorithm>

namespace ym::testing {

Result<std::optional<Job>> FakeBackend::History::job(JobId id) {
  const std::lock_guard lock(of_.mutex_);
  const auto found = of_.tables_.jobs.find(id);
  return found == of_.tables_.jobs.end() ? std::nullopt : std::optional(found->second);
}

Result<std::vector<Job>> FakeBackend::History::jobs(std::span<const JobId> ids) {
  std::vector<Job> found;
  for (const auto id : ids)
    if (auto one = job(id); *one) found.push_back(std::move(**one));
  return found;
}

Result<std::vector<Attempt>> FakeBackend::History::attempts(std::span<const JobId> jobs) {
  const std::lock_guard lock(of_.mutex_);
  std::vector<Attempt> found;
  for (const auto& [key, attempt] : of_.tables_.attempts)
    if (std::ranges::find(jobs, key.job) != jobs.end()) found.push_back(attempt);
  return found;
}

Result<std::vector<Job>> FakeBackend::History::jobs(const JobFilter& filter, std::size_t limit) {
  const std::lock_guard lock(of_.mutex_);
  std::vector<Job> page;
  const auto& all = of_.tables_.jobs;
  for (auto it = all.rbegin(); it != all.rend() && page.size() < limit; ++it)
    if (const Job& job = (*it).second; matches(filter, job)) page.push_back(job);
  return page;
}

Result<std::vector<Event>> FakeBackend::History::events(const EventFilter& filter, std::size_t limit) {
  const std::lock_guard lock(of_.mutex_);
  std::vector<Event> page;
  const auto after = std::max(filter.after, of_.forgotten_);
  for (auto it = std::ranges::upper_bound(of_.events_, after, {}, &Event::seq);
       it != of_.events_.end() && page.size() < limit; ++it)
    if ((!filter.job || job_of(it->payload) == filter.job) &&
        (filter.type.empty() || type_name(it->payload) == filter.type))
      page.push_back(*it);
  return page;
}

}  // namespace ym::testing
