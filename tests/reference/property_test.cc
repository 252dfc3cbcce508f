// Random worlds: the engine decides as the naive scheduler does, and nothing breaks.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ranges>
#include <set>

#include "model/flavor_mix.h"
#include "reference/random_world.h"
#include "reference/scheduler.h"
#include "reference/smaller_world.h"

namespace ym::reference {
namespace {

std::string text_of(const Start& start) {
  std::string text = fmt::format("start {} {} {}", to_string(start.job), start.cluster, start.flavor);
  for (const auto& placed : start.placement) {
    text += fmt::format(" {}@{}", placed.task, placed.node);
    for (const auto& device : placed.devices) text += ":" + device;
  }
  return text + "\n";
}

std::string text_of(const std::vector<Start>& starts) {
  std::string text;
  for (const auto& start : starts) text += text_of(start);
  return text;
}

std::string text_of(const Wait& wait) {
  std::string text = "wait " + to_string(wait.job);
  // If several groups lack something of one flavor, the numbers may differ, or the cause may appear once.
  std::set<std::string> said;
  for (const auto& cause : wait.causes) {
    const std::string blocker = cause.blocker ? " " + to_string(cause.blocker) : "";
    auto one = fmt::format(" {}({}{})", ym::to_string(cause.code), cause.flavor, blocker);
    if (said.insert(one).second) text += one;
  }
  return text + "\n";
}

std::string text_of(const Promise& promise) {
  return fmt::format("promise {} {} {} {}-{} {}\n", to_string(promise.job), promise.cluster, promise.flavor,
                     promise.from.ms, promise.until ? promise.until->ms : 0,
                     fmt::join(std::views::keys(promise.nodes), ","));
}

std::string text_of(const Outcome& outcome) {
  std::string text = text_of(outcome.starts);
  for (const auto& wait : outcome.waits) text += text_of(wait);
  for (const auto& promise : outcome.promises) text += text_of(promise);
  return text + (outcome.wake ? fmt::format("wake {}\n", outcome.wake->ms) : "");
}

// The part of the outcome that both have. Only the engine has numbers.
Outcome outcome_of(const engine::Plan& plan) {
  Outcome outcome{.starts = {}, .waits = {}, .wake = plan.next_wake};
  for (const auto& decision : plan.decisions)
    if (const auto* admission = std::get_if<engine::Admission>(&decision))
      outcome.starts.push_back({admission->job, admission->cluster, admission->flavor, admission->placement});
  for (const auto& verdict : plan.verdicts) {
    Wait wait{.job = verdict.job, .causes = {}};
    const auto& answer = plan.answer_to(verdict);
    std::vector<engine::ReasonIndex> reasons{answer.dominant};
    reasons.insert(reasons.end(), answer.also.begin(), answer.also.end());
    for (const auto index : reasons) {
      const auto& reason = plan.reason(index);
      wait.causes.push_back(
          {.code = reason.code(), .flavor = engine::text_in(reason, "flavor"), .blocker = engine::blocker_of(reason)});
    }
    outcome.waits.push_back(std::move(wait));
  }
  for (const auto& given : plan.reservations) {
    outcome.promises.push_back(
        {.job = given.job, .cluster = given.cluster, .flavor = given.flavor, .from = given.from, .until = given.until});
    for (const auto& node : given.nodes) outcome.promises.back().nodes[node];
  }
  return outcome;
}

// Exactly the waiting jobs with a new code are deferred.
void expect_deferrals(const Tables& tables, const engine::Plan& plan) {
  std::set<JobId> wanted, found;
  for (const auto& verdict : plan.verdicts) {
    const Job& job = tables.jobs.at(verdict.job);
    if (job.state == JobState::queued && job.pending != plan.dominant(verdict).code()) wanted.insert(job.id);
  }
  for (const auto& decision : plan.decisions)
    if (const auto* deferral = std::get_if<engine::Deferral>(&decision)) found.insert(deferral->job);
  EXPECT_EQ(wanted, found);
}

struct Campaign {
  std::uint64_t first_seed;
  int worlds;
  int steps;
};

// Sanitizers cost a factor of ten.
#if __has_feature(address_sanitizer)
constexpr int kPropertyWorlds = 150;
#else
constexpr int kPropertyWorlds = 2000;
#endif

// More by YM_WORLDS=N; one by YM_WORLD=SEED.
Campaign campaign() {
  if (const char* one = std::getenv("YM_WORLD")) return {std::strtoull(one, nullptr, 10), 1, 8};
  const char* worlds = std::getenv("YM_WORLDS");
  return {1, worlds ? std::atoi(worlds) : kPropertyWorlds, 8};
}

bool is_mix(const std::string& flavors) { return split_flavors(flavors).size() > 1; }

// How often each thing was seen: if something never happens in a campaign, it proves less than it seems to.
struct PropertiesSeen {
  std::map<ReasonCode, int> codes;
  int starts = 0, gangs = 0, promises = 0, mixes = 0, promised_mixes = 0, groups = 0, promised_groups = 0;

  void count(const Outcome& outcome, const Tables& tables) {
    const auto of_groups = [&](JobId job) { return !tables.jobs.at(job).spec->groups.empty(); };
    for (const auto& wait : outcome.waits)
      for (const auto& cause : wait.causes) codes[cause.code] += 1;
    promises += static_cast<int>(outcome.promises.size());
    for (const auto& promise : outcome.promises)
      (of_groups(promise.job) ? promised_groups : promised_mixes) += is_mix(promise.flavor);
    for (const auto& start : outcome.starts) {
      starts += 1;
      gangs += start.placement.size() > 1;
      (of_groups(start.job) ? groups : mixes) += is_mix(start.flavor);
    }
  }
};

std::string decided(const Tables& tables, const engine::Policy& policy, Instant now) {
  engine::State state = engine::State::load(tables);
  return text_of(outcome_of(engine::decide(state, policy, now)));
}

// The smallest part of the world in which they differ, and both outcomes there.
std::string where_they_differ(const Tables& tables, const Settings& settings, const engine::Policy& policy,
                              Instant now) {
  const auto wanted = [&](const Tables& some) { return text_of(schedule(some, settings, now)); };
  const auto smaller =
      smaller_world(tables, [&](const Tables& some) { return decided(some, policy, now) != wanted(some); });
  return fmt::format("of all this is enough: {}\nthe reference\n{}the engine\n{}", fmt::join(smaller.rows, ", "),
                     wanted(smaller.tables), decided(smaller.tables, policy, now));
}

void run_world(std::uint64_t seed, int steps, PropertiesSeen& seen) {
  const bool aging = seed % 2 == 0;
  RandomWorld random(seed, aging, RandomWorld::Limits::some);
  testing::World& world = random.world();
  const Settings settings{.age_cap = aging ? minutes(30) : hours(100'000),
                          .fair_share = seed % 7 == 0 ? FairShare::instant : FairShare::decayed,
                          .usage_kept = seed % 2 == 0 ? kUsageKept : kWholePart - kWholePart / 8,
                          .scoring = static_cast<Scoring>(seed / 2 % 4)};
  const engine::Policy policy{.fair_share = settings.fair_share,
                              .scoring = settings.scoring,
                              .usage_kept = settings.usage_kept,
                              .age_cap = settings.age_cap,
                              .preempt_phase = false};
  // Mostly between two whole minutes.
  Instant now = testing::kStart + hours(1) + Duration{static_cast<std::int64_t>(seed % 5) * 17'100};
  for (int step = 0; step < steps; ++step, now = now + minutes(7)) {
    world.advance(now);
    random.step(now);
    std::vector<std::string> problems;
    const auto plan = world.decide(policy, now, problems);
    const Outcome wanted = schedule(world.tables(), settings, now);
    seen.count(wanted, world.tables());
    EXPECT_EQ(text_of(wanted), text_of(outcome_of(plan))) << where_they_differ(world.tables(), settings, policy, now);
    expect_deferrals(world.tables(), plan);
    if (random.random().below(4) > 0) {
      world.commit(plan, problems);
      // Nothing has happened since, so the next cycle decides nothing more.
      const auto next = world.decide(policy, now, problems);
      EXPECT_TRUE(next.decisions.empty()) << "first\n" << engine::to_text(plan) << "then\n" << engine::to_text(next);
    }
    EXPECT_EQ(problems, std::vector<std::string>{});
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(RandomWorlds, EngineDecidesAsTheReference) {
  const Campaign todo = campaign();
  PropertiesSeen seen;
  for (int i = 0; i < todo.worlds && !::testing::Test::HasFailure(); ++i) {
    const std::uint64_t seed = todo.first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    run_world(seed, todo.steps, seen);
  }
  if (todo.worlds < kPropertyWorlds || ::testing::Test::HasFailure()) return;
  using enum ReasonCode;
  for (const auto code :
       {held, misconfigured, backoff, exceeds_max_quota, exceeds_capacity, waiting_for_quota, budget_exhausted,
        limit_reached, priority, reserved, waiting_for_capacity, fragmented, cluster_unavailable})
    EXPECT_GE(seen.codes[code], todo.worlds / 20) << ym::to_string(code);
  EXPECT_EQ(seen.codes[pending_evaluation], 0);
  EXPECT_GE(seen.starts, todo.worlds);
  EXPECT_GE(seen.gangs, todo.worlds / 20);
  EXPECT_GE(seen.promises, todo.worlds / 2);
  EXPECT_GE(seen.mixes, todo.worlds / 100);
  EXPECT_GE(seen.promised_mixes, todo.worlds / 500);
  EXPECT_GE(seen.groups, todo.worlds / 100);
  EXPECT_GE(seen.promised_groups, todo.worlds / 500);
}

}  // namespace
}  // namespace ym::reference
