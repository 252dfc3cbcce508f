#include "control/state/progress_intake.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ym {
namespace {

// Whether the job has this checkpoint already. A repeat of the newest one may have a later date, if its reporter sets
// none. A repeat of an older one with a later date is a new save: the job went back to an earlier step.
bool is_repeat(const Job& job, const Checkpoint& reported) {
  for (const Checkpoint& known : job.checkpoints) {
    if (reported.attempt != known.attempt || reported.uri != known.uri || reported.step != known.step) continue;
    const bool newest = &known == &job.checkpoints.front();
    if (reported.durable_at <= known.durable_at || (newest && reported.step != 0)) return true;
  }
  return false;
}

// Whether a later checkpoint of the attempt arrived before this one.
bool is_overtaken(const Job& job, const Checkpoint& reported) {
  if (job.checkpoints.empty()) return false;
  const Checkpoint& newest = job.checkpoints.front();
  return reported.attempt == newest.attempt && reported.step != 0 && reported.step < newest.step &&
         reported.durable_at < newest.durable_at;
}

// The job's clock may be on another machine, be set back, or count whole seconds. So it does not decide about the
// order. A date before the attempt's start comes from a wrong clock and is ignored.
Instant durable_at(const Job& job, const Attempt& attempt, Instant reported, Instant now) {
  auto earliest = attempt.started_at.value_or(attempt.admitted_at);
  if (reported < earliest) return now;
  if (!job.checkpoints.empty()) earliest = std::max(earliest, job.checkpoints.front().durable_at);
  return std::min(std::max(reported, earliest), now);
}

// The report's checkpoint, if it is new. The checkpoint that arrives last is the newest.
std::optional<Checkpoint> newer_checkpoint(const Job& job, const Attempt& attempt, const ProgressReport& report,
                                           Instant now) {
  if (!report.checkpoint) return std::nullopt;
  Checkpoint checkpoint = *report.checkpoint;
  checkpoint.attempt = attempt.number;
  if (is_repeat(job, checkpoint) || is_overtaken(job, checkpoint)) return std::nullopt;
  checkpoint.durable_at = durable_at(job, attempt, checkpoint.durable_at, now);
  return checkpoint;
}

// One report has a bounded number of metrics, but each report may have other names.
void merge_metrics(ProgressReport& into, const ProgressReport& news, const Attempt& attempt) {
  const auto known = [&](const std::string& name) {
    return into.metrics.contains(name) || (attempt.progress && attempt.progress->metrics.contains(name));
  };
  std::size_t names = attempt.progress ? attempt.progress->metrics.size() : 0;
  for (const auto& [name, value] : into.metrics)
    names += attempt.progress && attempt.progress->metrics.contains(name) ? 0 : 1;
  for (const auto& [name, value] : news.metrics) {
    const bool fresh = !known(name);
    if (fresh && names >= ProgressIntake::kMetrics) continue;
    names += fresh ? 1 : 0;
    into.metrics.insert_or_assign(name, value);
  }
}

void merge(ProgressReport& into, ProgressReport news, const Attempt& attempt) {
  if (news.step) into.step = news.step;
  if (news.total_steps) into.total_steps = news.total_steps;
  if (news.checkpoint) into.checkpoint = std::move(news.checkpoint);
  into.completed = into.completed || news.completed;
  merge_metrics(into, news, attempt);
}

// The first point of the grid at which the report may be stored.
Instant first_due(const Attempt& attempt, Instant now) {
  auto due = now;
  if (attempt.progress) due = std::max(due, attempt.progress->at + ProgressIntake::kStoredEvery);
  constexpr auto grid = ProgressIntake::kGrid.ms;
  return {(due.ms + grid - 1) / grid * grid};
}

}  // namespace

void ProgressIntake::take(Staging& staging, AttemptKey key, ProgressReport report) {
  const Attempt& attempt = staging.tables().attempts.at(key);
  const auto now = staging.now();
  report.checkpoint = newer_checkpoint(staging.tables().jobs.at(key.job), attempt, report, now);
  report.completed = report.completed && !(attempt.progress && attempt.progress->completed);
  if (report == ProgressReport{}) return;
  const bool urgent = report.checkpoint || report.completed;
  const auto it = kept_.find(key);
  Kept kept = it == kept_.end() ? Kept{.report = {}, .due = first_due(attempt, now)} : it->second;
  merge(kept.report, std::move(report), attempt);
  if (kept.report == ProgressReport{}) return;
  put(key, std::move(kept));
  if (urgent) stage(staging, key);
}

void ProgressIntake::stage(Staging& staging, AttemptKey key) {
  const auto it = kept_.find(key);
  if (it == kept_.end()) return;
  AttemptProgressed progressed{key, it->second.report};
  put(key, std::nullopt);
  staging.add("job:" + to_string(key.job), std::move(progressed));
}

void ProgressIntake::stage_due(Staging& staging) {
  const auto now = staging.now();
  while (const auto key = due_.due(now)) stage(staging, *key);
}

void ProgressIntake::stage_all(Staging& staging) {
  while (!kept_.empty()) stage(staging, kept_.begin()->first);
}

void ProgressIntake::lost() {
  for (auto& [key, kept] : std::exchange(before_, {})) set(key, std::move(kept));
}

// Changes the kept report, and remembers its state before the batch.
void ProgressIntake::put(AttemptKey key, std::optional<Kept> kept) {
  const auto it = kept_.find(key);
  before_.try_emplace(key, it == kept_.end() ? std::nullopt : std::optional(it->second));
  set(key, std::move(kept));
}

void ProgressIntake::set(AttemptKey key, std::optional<Kept> kept) {
  if (!kept) {
    due_.erase(key);
    kept_.erase(key);
    return;
  }
  due_.set(key, kept->due);
  kept_.insert_or_assign(key, std::move(*kept));
}

}  // namespace ym
