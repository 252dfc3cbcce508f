#include "engine/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <variant>

namespace ym::engine {
namespace {

void append(std::string& text, const std::vector<TaskPlacement>& placement) {
  for (const auto& placed : placement) {
    fmt::format_to(std::back_inserter(text), " {}@{}", placed.task, placed.node);
    for (std::size_t i = 0; i < placed.devices.size(); ++i) text += (i == 0 ? ":" : ",") + placed.devices[i];
  }
}

void append(std::string& text, const Admission& admission) {
  fmt::format_to(std::back_inserter(text), "admit {} cluster={} flavor={}", to_string(admission.job), admission.cluster,
                 admission.flavor);
  append(text, admission.placement);
}

void append(std::string& text, const Preemption& preemption) {
  fmt::format_to(std::back_inserter(text), "preempt for {} to {} cluster={} flavor={} kept_for={}",
                 to_string(preemption.job), ym::to_string(preemption_cause(preemption.cause)), preemption.cluster,
                 preemption.flavor, preemption.kept_for.ms);
  append(text, preemption.placement);
  for (const auto& victim : preemption.victims) {
    fmt::format_to(std::back_inserter(text), " victim={}/{} lost={}", to_string(victim.job), victim.attempt,
                   victim.lost_gpu_ms);
    if (!victim.goes_on.empty()) text += " goes on";
    append(text, victim.goes_on);
  }
}

void append(std::string& text, const Eviction& eviction) {
  fmt::format_to(std::back_inserter(text), "evict {}/{} to {} queue={} lost={}", to_string(eviction.job),
                 eviction.attempt, ym::to_string(preemption_cause(eviction.cause)), eviction.queue,
                 eviction.lost_gpu_ms);
  if (eviction.goes_on.empty()) return;
  fmt::format_to(std::back_inserter(text), " kept_for={} goes on", eviction.kept_for.ms);
  append(text, eviction.goes_on);
}

void append(std::string& text, const Resize& resize) {
  fmt::format_to(std::back_inserter(text), "resize {}/{} cluster={} flavor={} kept_for={} lost={}",
                 to_string(resize.job), resize.attempt, resize.cluster, resize.flavor, resize.kept_for.ms,
                 resize.lost_gpu_ms);
  append(text, resize.placement);
}

void append(std::string& text, const NominationRelease& release) {
  text += "release " + to_string(release.job) + " " + release.why;
}

void append(std::string& text, const Reservation& reservation) {
  fmt::format_to(std::back_inserter(text), "reserve {} cluster={} flavor={} from={}", to_string(reservation.job),
                 reservation.cluster, reservation.flavor, reservation.from.ms);
  if (reservation.until) fmt::format_to(std::back_inserter(text), " until={}", reservation.until->ms);
  for (const auto& node : reservation.nodes) text += " " + node;
  text += '\n';
}

void append(std::string& text, const MoveAdvice& advice) {
  fmt::format_to(std::back_inserter(text), "advise {} saves={}", to_string(advice.job), advice.saves.ms);
  for (const auto& move : advice.moves)
    fmt::format_to(std::back_inserter(text), " move={}/{} lost={}", to_string(move.job), move.attempt,
                   move.lost_gpu_ms);
  text += '\n';
}

void append(std::string& text, const Provision& provision) {
  fmt::format_to(std::back_inserter(text), "provide {} nodes={} jobs={}\n", provision.flavor, provision.nodes,
                 provision.jobs);
}

void append(std::string& text, const Deferral& deferral) {
  fmt::format_to(std::back_inserter(text), "defer {} {}", to_string(deferral.job), ym::to_string(deferral.code));
}

}  // namespace

std::string to_text(const Decision& decision) {
  std::string text;
  std::visit([&](const auto& one) { append(text, one); }, decision);
  return text;
}

bool only_defers(const Plan& plan) {
  return std::ranges::all_of(plan.decisions,
                             [](const Decision& decision) { return std::holds_alternative<Deferral>(decision); });
}

std::string to_text(const Plan& plan) {
  std::string text = fmt::format("version {}\n", plan.version);
  for (const auto& decision : plan.decisions) text += to_text(decision) + '\n';
  for (const auto& verdict : plan.verdicts) {
    fmt::format_to(std::back_inserter(text), "waits {} {}", to_string(verdict.job),
                   plan.answer_to(verdict).dominant.value);
    for (const auto also : plan.answer_to(verdict).also)
      fmt::format_to(std::back_inserter(text), " also {}", also.value);
    text += '\n';
  }
  for (const auto& reason : plan.reasons) {
    text += "reason ";
    text += canonical_text(reason);
    text += '\n';
  }
  for (const auto& reservation : plan.reservations) append(text, reservation);
  for (const auto& advice : plan.advice) append(text, advice);
  for (const auto& provision : plan.provisions) append(text, provision);
  if (plan.next_wake) fmt::format_to(std::back_inserter(text), "wake {}\n", plan.next_wake->ms);
  return text;
}

}  // namespace ym::engine
