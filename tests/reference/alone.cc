#include "reference/alone.h"

#include <algorithm>
#include <ranges>

#include "reference/referee.h"

namespace ym::reference {
namespace {

// The number of jobs that are judged in each world.
constexpr std::size_t kJudged = 3;

bool waits_for_a_place(const Job& job, Instant now) {
  return job.state == JobState::queued && !job.cancel_requested && !job.nomination &&
         (!job.not_before || *job.not_before <= now);
}

std::optional<AloneVerdict> judged(testing::World alone, JobId id, const engine::Policy& policy) {
  for (const auto& [other, row] : Tables(alone.tables()).jobs)
    if (other != id && row.state == JobState::queued && !row.cancel_requested) alone.apply(JobHeld{other});
  const auto plan = engine::decide(alone.state(), policy, alone.now());
  const engine::Preemption* got = nullptr;
  for (const auto& decision : plan.decisions) {
    if (std::holds_alternative<engine::Admission>(decision)) return std::nullopt;
    // The job waits for such decisions.
    if (std::holds_alternative<engine::Eviction>(decision)) return std::nullopt;
    if (std::holds_alternative<engine::NominationRelease>(decision)) return std::nullopt;
    if (const auto* found = std::get_if<engine::Preemption>(&decision)) got = found;
  }
  const Job& job = alone.tables().jobs.at(id);
  const Referee referee(alone.tables(), policy, alone.now());
  AloneVerdict verdict{.wrong = referee.not_the_best(job, got), .stops = got != nullptr};
  verdict.reclaims = got && got->cause == engine::Preemption::Cause::reclaim;
  verdict.many = !referee.goes_through_all(job);
  if (verdict.wrong) *verdict.wrong = to_string(id) + ", alone: " + *verdict.wrong + "\n" + engine::to_text(plan);
  return verdict;
}

}  // namespace

std::vector<AloneVerdict> judged_alone(const testing::World& world, const engine::Policy& policy) {
  std::vector<AloneVerdict> verdicts;
  // The newest first: the jobs that came with the world have their places.
  for (const auto& [id, job] : std::views::reverse(world.tables().jobs)) {
    if (verdicts.size() == kJudged) break;
    if (!waits_for_a_place(job, world.now()) || is_stopped(world.tables(), job.queue)) continue;
    // With when_can_preempt `stop`, the flavor in which jobs are preempted is not the one that costs least.
    const auto queue = world.tables().queues.find(job.queue);
    if (queue != world.tables().queues.end() && queue->second.when_can_preempt == FlavorSearch::stop) continue;
    if (auto verdict = judged(world, id, policy)) verdicts.push_back(std::move(*verdict));
  }
  return verdicts;
}

}  // namespace ym::reference
