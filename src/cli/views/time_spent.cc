#include "cli/views/time_spent.h"

#include <algorithm>
#include <boost/json/array.hpp>

#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

std::optional<Instant> last_end(const json::value& job) {
  std::optional<Instant> last;
  for (const auto& attempt : items_of(member(job, "attempts")))
    if (const auto ended = instant_at(attempt, "ended_at")) last = std::max(last.value_or(*ended), *ended);
  return last;
}

std::optional<Duration> waited(const json::value& job, Instant now) {
  const auto submitted = instant_at(job, "submitted_at");
  const auto since = last_end(job);
  if (!since && !submitted) return std::nullopt;
  return now - since.value_or(submitted.value_or(now));
}

std::optional<Duration> ran(const json::value& job, Instant now) {
  std::optional<Duration> sum;
  for (const auto& attempt : items_of(member(job, "attempts"))) {
    const auto began = instant_at(attempt, "started_at");
    if (began)
      sum = Duration{sum.value_or(Duration{}).ms + (instant_at(attempt, "ended_at").value_or(now) - *began).ms};
  }
  const auto began = instant_at(job, "started_at"), ended = instant_at(job, "ended_at");
  if (sum || !began || !ended) return sum;
  return *ended - *began;  // the answer has no attempts
}

std::optional<Duration> runs(const json::value& job, Instant now) {
  const auto& attempt = last_attempt(job);
  // Without attempts in the answer, the job's own times are all that is known.
  const auto began =
      instant_at(attempt.is_object() && attempt.as_object().contains("started_at") ? attempt : job, "started_at");
  return began ? std::optional(now - *began) : std::nullopt;
}

}  // namespace

std::optional<Duration> time_spent(const json::value& job, Instant now) {
  const auto state = state_of(job);
  if (has_ended(job)) return ran(job, instant_at(job, "ended_at").value_or(now));
  if (is_waiting(job) || state == "STARTING") return waited(job, now);
  return runs(job, now);
}

std::string time_text(const json::value& job, Instant now) {
  const auto time = time_spent(job, now);
  return time ? short_duration(*time) : "-";
}

std::string longest_time_text(const std::vector<const json::value*>& jobs, Instant now) {
  const bool all_ended = std::ranges::all_of(jobs, [](const auto* job) { return has_ended(*job); });
  std::optional<Duration> longest;
  for (const auto* job : jobs) {
    const auto time = all_ended || !has_ended(*job) ? time_spent(*job, now) : std::nullopt;
    if (time) longest = std::max(longest.value_or(*time), *time);
  }
  return longest ? short_duration(*longest) : "-";
}

std::string state_and_time(const json::value& job, Instant now) {
  const auto time = time_spent(job, now);
  return time ? state_of(job) + " " + short_duration(*time) : state_of(job);
}

}  // namespace ym::cli
