#include "cli/views/deadline_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/http/url.h"
#include "cli/term/text.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostAsked = 8;
constexpr Duration kTimeout = seconds(3), kPause{100};

// "2026-11-23 10:00 UTC"
std::string time_of(const json::value& verdict, std::string_view field, Instant now) {
  const auto time = instant_at(verdict, field);
  return time ? start_time(*time, now) + " UTC" : "a time beyond the forecast";
}

// Nothing: there is no deadline, or no longer a deadline, to judge.
std::optional<json::value> verdict_of(Session& session, Api& api, const std::string& id, Instant end) {
  while (session.now() < end && !session.interrupted()) {
    const auto why = api.get(job_target(id, "why"));
    if (!why) return std::nullopt;
    if (const auto& verdict = member(*why, "deadline"); verdict.is_object()) return verdict;
    if (text_at(*why, "state") == "HELD") return std::nullopt;
    session.sleep(kPause);
  }
  return std::nullopt;
}

}  // namespace

std::string deadline_text(const json::value& verdict, Instant now) {
  const auto outcome = text_at(verdict, "verdict");
  const auto at = time_of(verdict, "at", now);
  const auto needed = text_at(verdict, "needed");
  if (outcome == "feasible")
    return fmt::format("{}: feasible; it starts by {} and takes at most {}", at, time_of(verdict, "start", now),
                       needed);
  if (outcome == "if-others-yield") {
    std::vector<std::string> jobs;
    for (const auto& job : items_of(member(verdict, "yields"))) jobs.push_back(printable(text_of(job)));
    return fmt::format("{}: feasible if other jobs yield: {}; it takes {} and must start by {}", at,
                       fmt::join(jobs, ", "), needed, time_of(verdict, "latest_start", now));
  }
  if (outcome == "infeasible")
    return fmt::format("{}: infeasible; it takes {} and must start by {}, and starts at {}", at, needed,
                       time_of(verdict, "latest_start", now), time_of(verdict, "start", now));
  if (!needed.empty())
    return fmt::format("{}: not known; it must start by {}, and the forecast ends before that", at,
                       time_of(verdict, "latest_start", now));
  return fmt::format("{}: not known; set a time_limit to say how long the job takes", at);
}

void say_deadlines(Session& session, const json::array& jobs) {
  std::size_t asked = 0;
  const Instant end = session.now() + kTimeout;
  for (const auto& job : jobs) {
    if (text_at(job, "spec/deadline").empty() || asked++ == kMostAsked) continue;
    auto api = session.connect();
    if (!api) return;
    if (const auto verdict = verdict_of(session, *api, id_of(job), end))
      session.err << fmt::format("{}: deadline {}\n", id_of(job), deadline_text(*verdict, session.now())) << std::flush;
  }
}

}  // namespace ym::cli
