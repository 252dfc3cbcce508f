#include "study/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace ym::study {
namespace {

constexpr std::size_t kPage = 1000;

void add_attempt(RecordedJob& recorded, const Attempt& attempt) {
  if (!attempt.started_at || !attempt.ended_at) return;
  // Of jobs that ended long ago only the estimate is stored.
  const auto lost = attempt.lost_gpu_ms.value_or(attempt.estimated_lost_gpu_ms);
  recorded.add_attempt(*attempt.ended_at - *attempt.started_at, std::ssize(attempt.placement),
                       static_cast<double>(lost));
}

// Precondition: the attempt has ended.
RecordedJob recorded(const Job& job) {
  RecordedJob recorded{.id = to_string(job.id),
                       .owner = job.owner,
                       .spec = *job.spec,
                       .submitted_at = job.submitted_at,
                       .ended_at = *job.ended_at,
                       .run_time = {}};
  recorded.spec.array.reset();
  return recorded;
}

// A page of jobs with their attempts. Leaves out jobs that never started.
Result<void> add(StoreReader& reader, const std::vector<Job>& page, std::vector<RecordedJob>& jobs) {
  std::map<JobId, RecordedJob> found;
  std::vector<JobId> ids;
  for (const Job& job : page) {
    if (!job.started_at || !job.ended_at) continue;
    ids.push_back(job.id);
    found.emplace(job.id, recorded(job));
  }
  const auto attempts = reader.attempts(ids);
  if (!attempts) return std::unexpected(attempts.error());
  for (const Attempt& attempt : *attempts) add_attempt(found.at(attempt.job), attempt);
  for (const Job& job : page) {
    const auto it = found.find(job.id);
    if (it == found.end()) continue;
    it->second.ends_as(job.state);
    jobs.push_back(std::move(it->second));
  }
  return {};
}

}  // namespace

Result<std::vector<RecordedJob>> history_of(StoreReader& reader, const std::string& state, Instant since) {
  std::vector<RecordedJob> jobs;
  for (JobFilter filter;;) {
    auto page = reader.jobs(filter, kPage);
    if (!page) return std::unexpected(page.error());
    const bool last = page->empty() || page->back().submitted_at < since;
    if (!page->empty()) filter.before = page->back().id;
    std::erase_if(*page, [&](const Job& job) { return job.submitted_at < since; });
    if (auto added = add(reader, *page, jobs); !added) return std::unexpected(added.error());
    if (last) break;
  }
  if (jobs.empty())
    return fail(ErrorCode::invalid,
                fmt::format("{}: no job was submitted since {}, started and ended", state, to_rfc3339(since)));
  std::ranges::reverse(jobs);  // pages begin with the newest job
  return jobs;
}

}  // namespace ym::study
