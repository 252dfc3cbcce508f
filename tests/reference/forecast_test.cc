// Random worlds: a forecast changes nothing, and the changes that it offers would help.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/forecast/forecast.h"
#include "engine/forecast/sooner.h"
#include "reference/random_world.h"

namespace ym::reference {
namespace {

#if __has_feature(address_sanitizer)
constexpr std::uint64_t kForecastWorlds = 20;
#else
constexpr std::uint64_t kForecastWorlds = 200;
#endif
constexpr int kSteps = 3;

std::set<JobId> admitted(const engine::Plan& plan) {
  std::set<JobId> jobs;
  for (const auto& decision : plan.decisions)
    if (const auto* admission = std::get_if<engine::Admission>(&decision)) jobs.insert(admission->job);
  return jobs;
}

struct ForecastSeen {
  std::map<std::string, int> changes;
  std::map<engine::NoStart, int> causes;
  int starts = 0;
};

// A job that starts at once does so whether other jobs are quick or slow. Other jobs may start now too, behind jobs
// that are overdue.
void expect_present(const engine::Forecast& forecast, const std::set<JobId>& starting) {
  std::set<JobId> found;
  for (const auto& [job, start] : forecast.starts) {
    EXPECT_LE(start.low, start.median);
    if (start.high) {
      EXPECT_LE(start.median, *start.high);
      if (*start.high == forecast.as_of) found.insert(job);
    }
  }
  EXPECT_TRUE(std::ranges::includes(found, starting));
}

// No predicted range lies in the past or is a point, and each waiting job gets one or a cause.
void expect_said(const testing::World& world, const engine::Forecast& forecast, ForecastSeen& seen) {
  for (const Instant now : {forecast.as_of, forecast.as_of + hours(1)})
    for (const auto& [job, start] : forecast.starts) {
      const auto said = engine::adjusted_at(forecast, world.tables().jobs.at(job).queue, start, now);
      EXPECT_LE(now, said.low);
      EXPECT_LE(said.low, said.median);
      EXPECT_EQ(said.high.has_value(), start.high.has_value());
      if (said.high) EXPECT_LT(said.median, *said.high);
    }
  for (const auto& [id, job] : world.tables().jobs)
    if (job.state == JobState::queued)
      EXPECT_NE(forecast.starts.contains(id), forecast.without.contains(id)) << to_string(id);
  for (const auto& [job, cause] : forecast.without) seen.causes[cause] += 1;
}

// As if the job had been submitted like this.
void write(Job& job, const engine::SoonerChange& change) {
  JobSpec spec = *job.spec;
  if (change.key == "queue") job.queue = spec.queue = change.value;
  else if (change.key == "time_limit") spec.time_limit = *parse_duration(change.value);
  else if (change.key == "placement.topology.required") spec.placement.edit().required_level.clear();
  else if (std::string_view(change.key).starts_with("resources.")) {
    spec.resources.gpu_type = change.value.substr(0, change.value.find(':'));
    spec.resources.other_gpu_types.clear();
  } else if (change.key == "nodes") {
    EXPECT_FALSE(spec.min_nodes) << "an elastic job is not to be smaller than it says";
    spec.nodes = std::stoi(change.value);
    if (spec.placement->slice) EXPECT_EQ(spec.nodes % spec.placement->slice->nodes, 0);
  } else FAIL() << change.key;
  job.spec = std::make_shared<const JobSpec>(std::move(spec));
}

// Whether the quota of the queue limits this kind, in its own row; for a flavor that it does not name: whether any row
// does.
bool limits(const Queue& queue, const std::string& flavor, std::size_t kind) {
  if (const FlavorQuota* own = queue.quota->find(flavor)) return own->at(kind).has_value();
  return queue.quota->empty() ||
         std::ranges::any_of(*queue.quota, [&](const auto& entry) { return entry.second[kind].has_value(); });
}

// Between queues with their own quota: the other queue limits what the job's queue limits, so it is no way around
// quota.
void expect_no_way_round(const Tables& tables, const Job& job, const std::string& other) {
  const auto own = tables.queues.find(job.queue);
  const auto& quota = tables.queues.at(other).quota;
  if (own == tables.queues.end() || !own->second.quota || !quota) return;
  const ResourceVector asked = job.spec->total();
  for (const auto& [flavor, kinds] : *quota)
    for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
      if (asked.amounts[kind] > 0 && limits(own->second, flavor, kind))
        EXPECT_TRUE(kinds[kind].has_value()) << to_string(job.id) << " in " << other << ", " << flavor;
}

void expect_proven(const testing::World& world, const engine::Policy& policy, JobId job,
                   const std::vector<engine::SoonerChange>& changes, ForecastSeen& seen) {
  EXPECT_LE(changes.size(), engine::kMostChanges);
  for (const auto& change : changes) {
    seen.changes[change.key] += 1;
    if (change.key == "queue") expect_no_way_round(world.tables(), world.tables().jobs.at(job), change.value);
    Tables other = world.tables();
    Job changed = other.jobs.at(job);
    write(changed, change);
    other.jobs.insert_or_assign(job, std::move(changed));
    engine::State state = engine::State::load(other);
    EXPECT_TRUE(admitted(engine::decide(state, policy, world.now())).contains(job))
        << to_string(job) << " with " << change.key << ": " << change.value;
  }
}

void look_ahead(testing::World& world, const engine::Policy& policy, ForecastSeen& seen) {
  const std::string before = testing::text_of(world.state());
  const auto plan = engine::decide(world.state(), policy, world.now());
  const auto forecast = engine::forecast(world.state(), policy, world.now(), {.cycles = 40});
  expect_present(forecast, admitted(plan));
  expect_said(world, forecast, seen);
  seen.starts += static_cast<int>(forecast.starts.size());
  engine::Sooner sooner(world.state(), policy, world.now());
  for (const auto& verdict : plan.verdicts)
    expect_proven(world, policy, verdict.job, sooner.changes_for(verdict.job), seen);
  EXPECT_EQ(testing::text_of(world.state()), before);
  EXPECT_EQ(engine::to_text(engine::decide(world.state(), policy, world.now())), engine::to_text(plan));
}

TEST(RandomWorlds, LookingAheadChangesNothingAndWhatItOffersWouldDo) {
  ForecastSeen seen;
  for (std::uint64_t seed = 1; seed <= kForecastWorlds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("world {}", seed));
    RandomWorld random(seed, false, RandomWorld::Limits::some);
    Instant now = testing::kStart + hours(1);
    for (int step = 0; step < kSteps && !::testing::Test::HasFailure(); ++step, now = now + minutes(7)) {
      random.world().advance(now);
      random.step(now);
      look_ahead(random.world(), {}, seen);
      std::vector<std::string> problems;
      random.world().commit(engine::decide(random.world().state(), {}, now), problems);
      EXPECT_EQ(problems, std::vector<std::string>{});
    }
  }
  if (kForecastWorlds < 200) return;
  // It is too rare among these few jobs that only a shorter time limit lets a job be backfilled. A scenario has that
  // case.
  for (const auto* key : {"queue", "nodes", "resources.gpus", "placement.topology.required"})
    EXPECT_GE(seen.changes[key], 5) << key;
  EXPECT_GE(seen.starts, 200);
  EXPECT_GE(seen.causes[engine::NoStart::no_time_limit], 20);
}

}  // namespace
}  // namespace ym::reference
