#include "control/run_time_predictor.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

namespace ym {
namespace {

std::vector<Attempt> attempts_of(const Tables& tables, JobId job) {
  std::vector<Attempt> attempts;
  for (auto it = tables.attempts.lower_bound({job, 0}); it != tables.attempts.end() && it->first.job == job; ++it)
    attempts.push_back(it->second);
  return attempts;
}

// Newest first.
Result<std::vector<Job>> newest_ended(StoreReader& history, std::size_t limit) {
  JobFilter filter{.states = {JobState::succeeded, JobState::timed_out}};
  std::vector<Job> jobs;
  while (jobs.size() < limit) {
    auto page = history.jobs(filter, limit - jobs.size());
    if (!page) return std::unexpected(page.error());
    if (page->empty()) break;
    filter.before = page->back().id;
    std::ranges::move(*page, std::back_inserter(jobs));
  }
  return jobs;
}

}  // namespace

Result<void> RunTimePredictor::load(StoreReader& history) {
  const auto jobs = newest_ended(history, kReadBack);
  if (!jobs) return std::unexpected(jobs.error());
  std::vector<JobId> ids;
  for (const auto& job : *jobs) ids.push_back(job.id);
  auto attempts = history.attempts(ids);
  if (!attempts) return std::unexpected(attempts.error());
  std::map<JobId, std::vector<Attempt>> by_job;
  for (auto& attempt : *attempts) by_job[attempt.job].push_back(std::move(attempt));
  times_ = {};
  for (const auto& job : std::views::reverse(*jobs)) times_.add(job, by_job[job.id]);
  return {};
}

void RunTimePredictor::learn(const Tables& tables, std::span<const JobId> finished) {
  for (const auto id : finished) {
    const auto job = tables.jobs.find(id);
    if (job == tables.jobs.end()) continue;
    const auto known = times_.add(job->second, attempts_of(tables, id));
    if (is_milestone(known) && job->second.group) due_.insert(*job->second.group);
  }
}

// The members of an array were given ids in a row.
void RunTimePredictor::stage_due(Staging& staging) {
  for (const auto group : std::exchange(due_, {})) {
    std::vector<std::pair<JobId, PredictedRunTime>> news;
    std::optional<PredictedRunTime> predicted;
    const auto& jobs = staging.tables().jobs;
    for (auto it = jobs.lower_bound(JobId{group.value}); it != jobs.end() && it->second.group == group; ++it) {
      if (!predicted) predicted = times_.predict(it->second);
      const bool waits = it->second.state == JobState::queued || it->second.state == JobState::held;
      if (waits && predicted && it->second.predicted != predicted) news.emplace_back(it->first, *predicted);
    }
    for (const auto& [job, run_time] : news) staging.add("server", RunTimePredicted{job, run_time});
  }
}

}  // namespace ym
