#include "control/serve/why_it_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "model/flavor_mix.h"

namespace ym {
namespace {

// "90s", "3m", "2h": rounded down for display.
std::string rough(Duration time) {
  const auto cut = [&](Duration unit) { return to_string(Duration{time.ms / unit.ms * unit.ms}); };
  if (time < minutes(2)) return cut(seconds(1));
  return time < hours(24) ? cut(minutes(1)) : cut(hours(1));
}

std::string gpus(std::int64_t milli) {
  return fmt::format("{} GPU{}", format_thousandths(milli), milli == kMilli ? "" : "s");
}

std::string nodes_of(const Attempt& attempt) {
  const std::string& first = attempt.placement.front().node;
  return attempt.placement.size() == 1 ? first : fmt::format("{} and {} more", first, attempt.placement.size() - 1);
}

std::string admission_of(const Job& job, const Attempt& attempt) {
  const Duration waited = std::max(Duration{0}, attempt.admitted_at - job.waits_since);
  return fmt::format("admitted after waiting {}: flavor {} of cluster {}, {}", rough(waited), attempt.flavor,
                     attempt.cluster, nodes_of(attempt));
}

// The job file's rules for nodes, beside their room.
std::string asked_of_nodes(const PlacementRules& rules) {
  std::vector<std::string> asked;
  for (const auto& [label, value] : rules.select) asked.push_back(fmt::format("with {}={}", label, value));
  if (!rules.exclude.empty()) asked.push_back("not " + fmt::format("{}", fmt::join(rules.exclude, ", ")));
  if (!rules.required_level.empty()) asked.push_back("all in one " + rules.required_level);
  if (rules.slice) asked.push_back(fmt::format("each {} in one {}", rules.slice->nodes, rules.slice->level));
  if (!rules.preferred_level.empty()) asked.push_back(fmt::format("as close as possible by {}", rules.preferred_level));
  if (rules.anchor > 0) asked.push_back(fmt::format("the first {} not spot", rules.anchor));
  return asked.empty() ? "" : fmt::format(" (asked for: {})", fmt::join(asked, "; "));
}

std::string choice_of(const Job& job, const Attempt& attempt, Scoring scoring) {
  return fmt::format("{} {} chosen by placement {}{}", nodes_of(attempt),
                     attempt.placement.size() == 1 ? "was" : "were", to_string(scoring),
                     asked_of_nodes(*job.spec->placement));
}

std::string quota_of(const QueueView& queue, std::string_view flavor) {
  for (const auto& usage : queue.usage) {
    if (usage.flavor != flavor || usage.kind != ResourceKind::gpus || !usage.nominal) continue;
    const std::string borrowed = usage.borrowed > 0 ? fmt::format(", {} of them borrowed", gpus(usage.borrowed)) : "";
    return fmt::format("queue {} uses {} of flavor {}, its quota is {}{}", queue.queue.name, gpus(usage.used), flavor,
                       gpus(*usage.nominal), borrowed);
  }
  return fmt::format("queue {} has no quota of GPUs of flavor {}: only the machines limit it", queue.queue.name,
                     flavor);
}

std::string rule_of(const Job& job, PreemptRule rule) {
  switch (rule) {
    case PreemptRule::never: return "no job of its queue may stop it";
    case PreemptRule::lower_priority:
      return fmt::format("jobs of its queue with a priority above {} may stop it", job.priority);
    case PreemptRule::any: return "jobs of its queue that came before it, or are more urgent, may stop it";
  }
  return "";
}

std::string protection_of(const Job& job, const QueueView& queue, const std::vector<std::string_view>& flavors) {
  if (!job.spec->stop.preemptible) return "no job may preempt it: its preemption.allow is false";
  const bool borrows = std::ranges::any_of(queue.usage, [&](const auto& usage) {
    return usage.borrowed > 0 && std::ranges::find(flavors, usage.flavor) != flavors.end();
  });
  return rule_of(job, queue.queue.preempt) + (borrows ? ", and so may queues that want lent quota back" : "");
}

std::string end_of(const Job& job, const Attempt& attempt, Instant now) {
  if (!attempt.started_at) return "";
  std::string text;
  if (job.predicted) {
    const Duration usual = std::min(job.predicted->p50, job.spec->time_limit.value_or(job.predicted->p50));
    const Instant expected = *attempt.started_at + usual;
    text = expected > now ? fmt::format("expected to end about {}, as {} other jobs did", to_utc_text(expected),
                                        job.predicted->samples)
                          : fmt::format("has run for longer than half of {} other jobs", job.predicted->samples);
  }
  if (!job.spec->time_limit) return text;
  const std::string limit = "ends by " + to_utc_text(*attempt.started_at + *job.spec->time_limit) + ", its time limit";
  return text.empty() ? limit : text + "; " + limit;
}

// The purpose of a stop that has no preempting job.
std::string purpose_of(PreemptionCause cause, const std::string& goes_on) {
  switch (cause) {
    case PreemptionCause::priority:
    case PreemptionCause::reclaim:
    case PreemptionCause::borrow:
    case PreemptionCause::consolidation: break;
    case PreemptionCause::drain: return "its queue is drained";
    case PreemptionCause::shrink:
      return goes_on.empty() ? "its queue has less quota than it had"
                             : goes_on + ": its queue has less quota than it had";
    case PreemptionCause::resize:
      return goes_on.empty() ? "was to go on at another size, and took too long"
                             : goes_on + ": no job waits for the added nodes";
  }
  return "makes room for another job";
}

std::string purpose_of(const Job& job, const Attempt& attempt) {
  std::string goes_on;
  if (job.nomination)
    goes_on =
        fmt::format("goes on with {} nodes instead of {}", job.nomination->placement.size(), attempt.placement.size());
  if (attempt.yields_to)
    return fmt::format("makes room for job {}{}{}", to_string(*attempt.yields_to), job.nomination ? " and " : "",
                       goes_on);
  if (!attempt.preemption) return fmt::format("stops: {}", to_string(*attempt.stop_cause));
  return purpose_of(*attempt.preemption, goes_on);
}

std::string stop_of(const Job& job, const Attempt& attempt) {
  const bool preempted = attempt.stop_cause == StopCause::preemption;
  std::string text = purpose_of(job, attempt);
  if (attempt.stop_by) text += ", is killed at " + to_utc_text(*attempt.stop_by);
  if (preempted)
    text += fmt::format("; about {}.{:03} GPU-seconds must be repeated, less if it saves before its end",
                        attempt.estimated_lost_gpu_ms / 1000, attempt.estimated_lost_gpu_ms % 1000);
  if (attempt.yields_to) text += "; the lowest priority stops first, then jobs that borrow, then jobs that lose least";
  return text;
}

}  // namespace

std::vector<std::string> why_it_runs(const JobView& view, const QueueView& queue, Scoring scoring, Instant now) {
  const Attempt& attempt = view.attempts.back();
  std::vector<std::string> because;
  if (attempt.stop_cause) because.push_back(stop_of(view.job, attempt));
  because.push_back(admission_of(view.job, attempt));
  const auto flavors = split_flavors(attempt.flavor);
  for (auto flavor = flavors.begin(); flavor != flavors.end(); ++flavor)
    if (std::find(flavors.begin(), flavor, *flavor) == flavor) because.push_back(quota_of(queue, *flavor));
  if (attempt.stop_cause) return because;
  because.push_back(choice_of(view.job, attempt, scoring));
  because.push_back(protection_of(view.job, queue, flavors));
  if (auto end = end_of(view.job, attempt, now); !end.empty()) because.push_back(std::move(end));
  return because;
}

std::optional<engine::DeadlineVerdict> deadline_of_running(const JobView& view) {
  const Job& job = view.job;
  if (!job.spec->deadline) return std::nullopt;
  using Outcome = engine::DeadlineVerdict::Outcome;
  engine::DeadlineVerdict verdict{.deadline = *job.spec->deadline, .needed = job.spec->time_limit, .latest_start = {}};
  if (!verdict.needed && job.predicted) verdict.needed = job.predicted->p90;
  const Attempt& attempt = view.attempts.back();
  verdict.start = attempt.started_at.value_or(attempt.admitted_at);
  if (!verdict.needed) return verdict;
  verdict.latest_start = verdict.deadline - *verdict.needed;
  verdict.outcome = *verdict.start <= *verdict.latest_start ? Outcome::feasible : Outcome::infeasible;
  return verdict;
}

}  // namespace ym
