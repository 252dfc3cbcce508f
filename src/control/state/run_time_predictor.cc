#include "control/state/run_time_predictor.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace ym {
namespace {

std::vector<Attempt> attempts_of(const Tables& tables, JobId job) {
  std::vector<Attempt> attempts;
  for (auto it = tables.attempts.lower_bound({job, 0}); it != tables.attempts.end() && it->first.job == job; ++it)
    attempts.push_back(it->second);
  return attempts;
}

constexpr std::size_t kPage = 100;
// The most arrays that are counted. The oldest are forgotten first.
constexpr std::size_t kMostArrays = 10'000;

bool is_milestone(std::int32_t ended) { return ended == 3 || ended == 10 || ended == 30 || ended == 100; }

// Reads page by page, because specs may be large. Newest jobs first.
Result<std::vector<RunTimeSample>> newest_samples(StoreReader& history, std::size_t limit) {
  JobFilter filter{.states = {JobState::succeeded, JobState::timed_out}};
  std::vector<RunTimeSample> samples;
  for (std::size_t read = 0; read < limit;) {
    const auto page = history.jobs(filter, std::min(kPage, limit - read));
    if (!page) return std::unexpected(page.error());
    if (page->empty()) break;
    std::vector<JobId> ids;
    for (const auto& job : *page) ids.push_back(job.id);
    const auto attempts = history.attempts(ids);
    if (!attempts) return std::unexpected(attempts.error());
    for (const auto& job : *page) {
      const auto own = std::ranges::equal_range(*attempts, job.id, {}, &Attempt::job);
      if (const auto sample = sample_of(job, {own.begin(), own.end()})) samples.push_back(*sample);
    }
    filter.before = page->back().id;
    read += page->size();
  }
  return samples;
}

}  // namespace

void RunTimePredictor::load(StoreReader& history) {
  auto samples = newest_samples(history, kReadBack);
  if (!samples) {
    spdlog::warn("run times of past jobs cannot be read, and are learned again: {}", samples.error().message);
    return;
  }
  times_ = {};
  times_.add_past(std::move(*samples));
}

void RunTimePredictor::learn(const Tables& tables, std::span<const JobId> finished) {
  staged_.clear();
  for (const auto id : finished) {
    const auto job = tables.jobs.find(id);
    const auto sample = job == tables.jobs.end() ? std::nullopt : sample_of(job->second, attempts_of(tables, id));
    if (!sample) continue;
    times_.add(*sample);
    const auto group = job->second.group;
    if (group && is_milestone(++ended_[*group])) due_.push_back({.group = *group, .next = JobId{group->value}});
  }
  if (ended_.size() > kMostArrays) ended_.erase(ended_.begin());
}

void RunTimePredictor::lost() {
  due_.insert(due_.begin(), staged_.begin(), staged_.end());
  staged_.clear();
}

// The members of an array have consecutive ids. A retry by a user has another id, and its own prediction.
void RunTimePredictor::stage_due(Staging& staging) {
  if (due_.empty()) return;
  PendingUpdate news = due_.front();
  due_.erase(due_.begin());
  staged_.push_back(news);
  std::vector<std::pair<JobId, PredictedRunTime>> told;
  const auto& jobs = staging.tables().jobs;
  auto it = jobs.lower_bound(news.next);
  for (; it != jobs.end() && it->second.group == news.group && std::cmp_less(told.size(), kMostAtOnce); ++it) {
    const bool waits = it->second.state == JobState::queued || it->second.state == JobState::held;
    const auto predicted = waits ? times_.predict(it->second) : std::nullopt;
    if (predicted && is_news(*predicted, it->second.predicted.to_optional())) told.emplace_back(it->first, *predicted);
  }
  if (it != jobs.end() && it->second.group == news.group) due_.push_back({.group = news.group, .next = it->first});
  for (const auto& [job, run_time] : told) staging.add("server", RunTimePredicted{job, run_time});
}

}  // namespace ym
