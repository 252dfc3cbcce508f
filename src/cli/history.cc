#include "cli/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "cli/http/url.h"
#include "cli/views/json_view.h"
#include "spec/documents.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

void add_attempt(RecordedJob& recorded, const json::value& attempt) {
  const auto began = instant_at(attempt, "started_at"), ended = instant_at(attempt, "ended_at");
  if (!began || !ended) return;
  const auto tasks = std::ssize(items_of(member(attempt, "placement")));
  recorded.add_attempt(*ended - *began, tasks, number_at(attempt, "lost_gpu_seconds").value_or(0) * 1000);
}

}  // namespace

Result<std::optional<RecordedJob>> recorded_job(const json::value& job) {
  const auto submitted = instant_at(job, "submitted_at"), ended = instant_at(job, "ended_at");
  if (!submitted || !instant_at(job, "started_at") || !ended) return std::nullopt;
  RecordedJob recorded{.id = text_at(job, "id"),
                       .owner = text_at(job, "user"),
                       .spec = {},
                       .submitted_at = *submitted,
                       .ended_at = *ended,
                       .run_time = {}};
  auto spec = parse_job_json(json::serialize(member(job, "spec")), {.workdir = "/"});
  if (!spec) return fail(ErrorCode::invalid, fmt::format("job {}: {}", recorded.id, spec.error().message));
  recorded.spec = std::move(*spec);
  recorded.spec.array.reset();
  for (const auto& attempt : items_of(member(job, "attempts"))) add_attempt(recorded, attempt);
  if (const auto state = parse_enum<JobState>(text_at(job, "state"))) recorded.ends_as(*state);
  return recorded;
}

Result<std::vector<RecordedJob>> recorded_jobs(Api& api, Instant since) {
  std::vector<RecordedJob> jobs;
  std::string cursor;
  bool older = false;
  do {
    const auto page = api.get(target("/api/v1/jobs", {{"limit", "1000"}, {"cursor", cursor}}));
    if (!page) return std::unexpected(page.error());
    for (const auto& job : items_of(member(*page, "items"))) {
      older = older || instant_at(job, "submitted_at").value_or(since) < since;
      if (older) break;
      auto recorded = recorded_job(job);
      if (!recorded) return std::unexpected(recorded.error());
      if (*recorded) jobs.push_back(std::move(**recorded));
    }
    cursor = text_at(*page, "next");
  } while (!older && !cursor.empty());
  std::ranges::reverse(jobs);  // the list begins with the newest
  return jobs;
}

}  // namespace ym::cli
