#include "cli/views/training_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/term/text.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kShownMetrics = 6;

void line(Session& session, std::string_view label, const std::string& text) {
  if (!text.empty()) session.out << fmt::format("{:<10}  {}\n", label, printable(text));
}

const json::value& newest_checkpoint(const json::value& job) {
  const auto& known = items_of(member(job, "checkpoints"));
  return known.empty() ? member(job, "") : known.front();
}

std::string gpu_time_at(const json::value& object, std::string_view key) {
  const auto seconds = number_at(object, key);
  return seconds ? gpu_time(*seconds) : "";
}

// "24%" of "1200/5000".
std::string share(const json::value& progress) {
  const auto step = number_at(progress, "step"), total = number_at(progress, "total_steps");
  return step && total && *total > 0 ? fmt::format(" ({:.0f}%)", 100 * *step / *total) : "";
}

std::string progress_text(const json::value& job, Instant now) {
  const auto& progress = member(last_attempt(job), "progress");
  std::string text = progress_of(job) + share(progress);
  std::size_t shown = 0;
  if (const auto* metrics = member(progress, "metrics").if_object()) {
    for (const auto& [name, number] : *metrics) {
      if (shown++ == kShownMetrics) break;
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", std::string_view(name), text_of(number));
    }
  }
  if (text_at(progress, "completed") == "true") text += text.empty() ? "completed" : ", completed";
  const auto at = instant_at(progress, "at");
  return at && !text.empty() ? fmt::format("{}, {} ago", text, short_duration(now - *at)) : text;
}

std::string saved_text(const json::value& job, Instant now) {
  const auto& newest = newest_checkpoint(job);
  if (!newest.is_object()) return "";
  return fmt::format("step {}, {} ago: {}", text_at(newest, "step"), saved_ago(job, now), text_at(newest, "uri"));
}

std::string resumed_text(const json::value& job) {
  const auto& attempt = last_attempt(job);
  const auto& from = member(attempt, "resumes_from");
  if (!from.is_object()) return "";
  return fmt::format("attempt {} from step {} of attempt {}: {}", text_at(attempt, "number"), text_at(from, "step"),
                     text_at(from, "attempt"), text_at(from, "uri"));
}

std::string stopping_text(const json::value& job, Instant now) {
  const auto& attempt = last_attempt(job);
  if (state_of(job) != "STOPPING") return "";
  std::string text = text_at(attempt, "stop_cause");
  std::ranges::replace(text, '_', ' ');
  if (const auto preempting = text_at(attempt, "yields_to"); !preempting.empty()) text += " for " + preempting;
  if (const auto& nomination = member(job, "hold"); nomination.is_object())
    text += fmt::format(", continues with {} nodes", items_of(member(nomination, "placement")).size());
  if (const auto loss = gpu_time_at(attempt, "estimated_lost_gpu_seconds"); !loss.empty())
    text += fmt::format(", loses {} by the estimate", loss);
  const auto deadline = moment_ahead(instant_at(attempt, "stop_by"), now);
  return deadline.empty() ? text : text + "; killed at " + deadline;
}

std::string preempted_text(const json::value& job) {
  const auto times = integer_at(job, "preemptions").value_or(0);
  if (times == 0) return "";
  double lost = 0;
  for (const auto& attempt : items_of(member(job, "attempts")))
    if (text_at(attempt, "ended_by") == "preempted") lost += number_at(attempt, "lost_gpu_seconds").value_or(0);
  return fmt::format("{}, {} lost", times == 1 ? "once" : fmt::format("{} times", times), gpu_time(lost));
}

// ", lost 60 GPU-s (estimated 340 GPU-s)". Empty: no work was lost, and no loss was expected.
std::string lost_text(const json::value& attempt) {
  const auto estimated = gpu_time_at(attempt, "estimated_lost_gpu_seconds");
  const auto lost = number_at(attempt, "lost_gpu_seconds");
  if (!lost || (*lost == 0 && estimated.empty())) return "";
  return fmt::format(", lost {}{}", gpu_time(*lost),
                     estimated.empty() ? "" : fmt::format(" (estimated {})", estimated));
}

std::string preempted_jobs_text(const json::value& job) {
  std::string text;
  for (const auto& preempted : items_of(at(job, "hold/victims")))
    text += (text.empty() ? "" : ", ") + text_of(preempted);
  return text;
}

}  // namespace

std::string gpu_time(double gpu_seconds) {
  if (gpu_seconds < 3600) return fmt::format("{:.0f} GPU-s", gpu_seconds);
  return fmt::format("{:.1f} GPU-h", gpu_seconds / 3600);
}

std::string progress_of(const json::value& job) {
  const auto& progress = member(last_attempt(job), "progress");
  auto step = text_at(progress, "step");
  if (step.empty()) step = text_at(newest_checkpoint(job), "step");
  const auto total = text_at(progress, "total_steps");
  return step.empty() || total.empty() ? step : step + "/" + total;
}

std::string saved_ago(const json::value& job, Instant now) {
  const auto at = saved_at(job);
  return at ? short_duration(now - *at) : "";
}

std::optional<Instant> saved_at(const json::value& job) { return instant_at(newest_checkpoint(job), "durable_at"); }

std::optional<double> gpu_seconds_at_risk(const json::value& job) { return number_at(job, "work_at_risk_gpu_seconds"); }

std::string ending_with_loss(const json::value& attempt) {
  std::string text = ending(attempt);
  const auto preempting = text_at(attempt, "yields_to");
  if (text_at(attempt, "ended_by") == "preempted" && !preempting.empty()) text += " for " + preempting;
  return text_at(attempt, "state") == "ENDED" ? text + lost_text(attempt) : text;
}

std::string moment_ahead(const std::optional<Instant>& time, Instant now) {
  if (!time) return "";
  return fmt::format("{} UTC ({})", short_time(time), *time > now ? "in " + short_duration(*time - now) : "now");
}

std::string place_kept(const json::value& job, Instant now) {
  const auto& nomination = member(job, "hold");
  if (!nomination.is_object()) return "";
  return fmt::format("{} until {}", where(nomination, true), moment_ahead(instant_at(nomination, "expires_at"), now));
}

void show_training(Session& session, const json::value& job) {
  const Instant now = session.now();
  line(session, "progress", progress_text(job, now));
  line(session, "saved", saved_text(job, now));
  line(session, "resumed", resumed_text(job));
  const auto risk = gpu_seconds_at_risk(job);
  if (risk && state_of(job) != "STOPPING") line(session, "at risk", gpu_time(*risk) + " if it were stopped now");
  line(session, "stopping", stopping_text(job, now));
  line(session, "preempted", preempted_text(job));
  if (const auto kept = place_kept(job, now); !kept.empty()) {
    // A job that only changes its size waits for its own stop.
    const std::string preempted_jobs = preempted_jobs_text(job);
    line(session, "place kept",
         preempted_jobs.empty() ? kept : fmt::format("{}; {} must stop first", kept, preempted_jobs));
  }
}

}  // namespace ym::cli
