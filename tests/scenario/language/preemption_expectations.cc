// Checks which jobs a cycle preempts, for which, and the nominated placements.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scenario/language/scenario.h"

namespace ym::testing {
namespace {

std::string words_of(const TaskPlacement& placed) {
  return placed.devices.empty() ? placed.node : fmt::format("{}:{}", placed.node, fmt::join(placed.devices, ","));
}

void expect_same(std::string_view what, const std::string& wanted, const std::string& found) {
  if (wanted != found) throw ScenarioError(fmt::format("{} is '{}', not '{}'", what, found, wanted));
}

std::string_view words_of(engine::Preemption::Cause cause) {
  switch (cause) {
    case engine::Preemption::Cause::priority: return "priority";
    case engine::Preemption::Cause::reclaim: return "reclaim";
    case engine::Preemption::Cause::borrow: return "borrow";
    case engine::Preemption::Cause::consolidation: return "consolidation";
  }
  return "";
}

// Compares "NAME=VALUE" with what was found. False: it is no such word.
bool detail(const std::string& word, std::string_view name, const std::string& found) {
  if (!word.starts_with(std::string(name) + "=")) return false;
  expect_same(name, word.substr(name.size() + 1), found);
  return true;
}

}  // namespace

// JOBS.. [on NODE:DEVICES..] [cause=C] [flavor=F] [cluster=C] [kept_for=D]
void Scenario::expect_preempts(JobId id, Words& words) {
  const auto* preemption = decision<engine::Preemption>(id);
  if (!preemption) throw ScenarioError("nobody is stopped for it:\n" + engine::to_text(plan_));
  std::string preempted_jobs, places, found_jobs, found_places;
  bool on = false;
  while (!words.done()) {
    const std::string word = words.take("");
    if (detail(word, "cause", std::string(words_of(preemption->cause))) || detail(word, "flavor", preemption->flavor) ||
        detail(word, "cluster", preemption->cluster) || detail(word, "kept_for", ym::to_string(preemption->kept_for)))
      continue;
    if (word == "on") on = true;
    else (on ? places : preempted_jobs) += " " + word;
  }
  for (const auto& preempted : preemption->preempted_jobs) {
    found_jobs += " " + name_of(preempted.job);
    mentioned_.insert(preempted.job);
  }
  for (const auto& placed : preemption->placement) found_places += " " + words_of(placed);
  expect_same("who is stopped", preempted_jobs, found_jobs);
  if (on) expect_same("the place", places, found_places);
}

// [queue=Q] [lost=D]
void Scenario::expect_evicted(JobId id, Words& words) {
  const auto found = std::ranges::find_if(plan_.decisions, [&](const auto& decision) {
    const auto* eviction = std::get_if<engine::Eviction>(&decision);
    return eviction && eviction->job == id;
  });
  if (found == plan_.decisions.end()) throw ScenarioError("it is not evicted:\n" + engine::to_text(plan_));
  const auto& eviction = std::get<engine::Eviction>(*found);
  while (!words.done()) {
    const std::string word = words.take("");
    if (!detail(word, "queue", eviction.queue) && !detail(word, "lost", ym::to_string(Duration{eviction.lost_gpu_ms})))
      throw ScenarioError("'" + word + "' is not part of an eviction");
  }
}

// [for JOB] [lost=D]
void Scenario::expect_preempted(JobId id, Words& words) {
  for (const auto& decision : plan_.decisions) {
    const auto* preemption = std::get_if<engine::Preemption>(&decision);
    if (!preemption) continue;
    const auto preempted = std::ranges::find(preemption->preempted_jobs, id, &engine::PreemptedJob::job);
    if (preempted == preemption->preempted_jobs.end()) continue;
    mentioned_.insert(preemption->job);
    if (words.skip("for")) expect_same("for whom", words.take("a job"), name_of(preemption->job));
    while (!words.done())
      if (const auto word = words.take(""); !detail(word, "lost", ym::to_string(Duration{preempted->lost_gpu_ms})))
        throw ScenarioError(fmt::format("'{}' is not understood of a preempted job", word));
    return;
  }
  throw ScenarioError(name_of(id) + " is not stopped");
}

// NODE:DEVICES.. [lost=D]
void Scenario::expect_resizes(JobId id, Words& words) {
  const auto* resize = decision<engine::Resize>(id);
  if (!resize) throw ScenarioError("it is not resized:\n" + engine::to_text(plan_));
  std::string wanted, found;
  while (!words.done())
    if (const auto word = words.take(""); !detail(word, "lost", ym::to_string(Duration{resize->lost_gpu_ms})))
      wanted += " " + word;
  for (const auto& placed : resize->placement) found += " " + words_of(placed);
  expect_same("the place", wanted, found);
}

// NODE:DEVICES.. | nowhere
void Scenario::expect_goes_on(JobId id, Words& words) {
  std::string wanted, found;
  while (!words.done()) wanted += " " + words.take("");
  const auto compare = [&](const std::vector<TaskPlacement>& goes_on) {
    for (const auto& placed : goes_on) found += " " + words_of(placed);
    expect_same("where it goes on", wanted, found.empty() ? " nowhere" : found);
  };
  for (const auto& decision : plan_.decisions) {
    const auto* eviction = std::get_if<engine::Eviction>(&decision);
    if (eviction && eviction->job == id) return compare(eviction->goes_on);
    const auto* preemption = std::get_if<engine::Preemption>(&decision);
    if (!preemption) continue;
    const auto preempted = std::ranges::find(preemption->preempted_jobs, id, &engine::PreemptedJob::job);
    if (preempted != preemption->preempted_jobs.end()) return compare(preempted->goes_on);
  }
  throw ScenarioError(name_of(id) + " is not stopped");
}

void Scenario::expect_released(JobId id, Words& words) {
  const auto* release = decision<engine::NominationRelease>(id);
  if (!release) throw ScenarioError("its place is not released");
  if (!words.done()) expect_same("why", words.take("why"), release->why);
}

void Scenario::expect_preemptions(Words& words) {
  std::string wanted, found;
  while (!words.done()) wanted += " " + words.take("");
  for (const auto& decision : plan_.decisions)
    if (const auto* preemption = std::get_if<engine::Preemption>(&decision)) {
      mentioned_.insert(preemption->job);
      found += " " + name_of(preemption->job);
    }
  expect_same("for whom others are stopped", wanted, found);
}

// The last decision on the job, checked again now.
void Scenario::expect_decision(Words& words, bool stands) {
  const JobId id = job(words.take("a job"));
  const auto found = std::ranges::find_if(plan_.decisions, [&](const engine::Decision& decision) {
    return !std::holds_alternative<engine::Deferral>(decision) &&
           std::visit([](const auto& one) { return one.job; }, decision) == id;
  });
  if (found == plan_.decisions.end()) throw ScenarioError("nothing was decided for " + name_of(id));
  const auto objection = engine::fits(world_.state(), *found, world_.now());
  if (stands && objection) throw ScenarioError("it does not hold any more: " + *objection);
  if (!stands) expect_same("what stands against it", words.take("why not"), objection.value_or("nothing"));
}

// nothing | JOBS [saves=D]
void Scenario::expect_advised(JobId id, Words& words) {
  std::string wanted, found;
  while (!words.done()) wanted += (wanted.empty() ? "" : " ") + words.take("");
  const auto advice = std::ranges::find(plan_.advice, id, &engine::MoveAdvice::job);
  if (advice == plan_.advice.end()) {
    found = "nothing";
  } else {
    for (const auto& move : advice->moves) found += name_of(move.job) + " ";
    found += "saves=" + ym::to_string(advice->saves);
  }
  expect_same("what would be moved for it", wanted, found);
}

}  // namespace ym::testing
