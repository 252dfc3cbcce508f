// Random worlds with elastic flavors: which nodes are wanted, and for which jobs.
#include "reference/wanted_nodes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ranges>

#include "reference/elastic_campaign.h"
#include "reference/quota.h"
#include "reference/sized.h"

namespace ym::reference {
namespace {

struct Told {
  JobId job;
  std::string flavor;
  Instant ready;
};

std::vector<Told> told_in(const engine::Plan& plan) {
  std::vector<Told> told;
  for (const auto& verdict : plan.verdicts) {
    const auto& reason = plan.dominant(verdict);
    const auto* made = std::get_if<engine::NodesAreMade>(&reason.details);
    if (!made) continue;
    told.push_back({verdict.job, made->flavor, made->until});
    EXPECT_GT(made->nodes, 0) << "nobody is told of nodes that nobody makes";
  }
  return told;
}

class WantedNodes : public ElasticWorlds {
 protected:
  static void expect_bounds(const Tables& tables) {
    for (const auto& [name, flavor] : tables.flavors) {
      EXPECT_GE(flavor.wanted.nodes, 0);
      EXPECT_LE(flavor.wanted.nodes, flavor.elastic ? flavor.elastic->max_nodes : 0) << name;
    }
  }

  // Beside all running jobs that stay, and the jobs told before it, the quota covers each job that is told.
  static void expect_quota(const Tables& tables, const std::vector<Told>& told) {
    Use use;
    for (const auto& [key, attempt] : tables.attempts)
      if (attempt.state != AttemptState::ended && !attempt.stop_cause)
        charge(use, tables.jobs.at(key.job), attempt.queue, attempt.flavor, attempt.placement.size());
    for (const auto& one : told) {
      const Job& job = tables.jobs.at(one.job);
      const Job small = sized(job, job.spec->smallest());
      EXPECT_TRUE(NaiveQuota(tables.queues, use).covers_now(small, one.flavor)) << to_string(one.job);
      charge(use, small, job.queue, one.flavor, static_cast<std::size_t>(small.spec->nodes));
    }
  }

  void expect_idle(ElasticWorld& random, const engine::Policy& policy, Instant now) {
    random.withdraw_all();
    settle(random, policy, now);
    for (const auto& [name, nodes] : wanted_in(random.tables())) EXPECT_EQ(nodes, 0) << name;
  }
};

void expect_as_counted(const Tables& tables, const engine::Plan& plan, const std::vector<Told>& told) {
  std::vector<JobId> waiting;
  for (const auto& verdict : plan.verdicts) waiting.push_back(verdict.job);
  const Wanted wanted = wanted_nodes(tables, waiting);
  EXPECT_EQ(wanted_in(tables), wanted.nodes);
  std::map<JobId, std::string> found;
  for (const auto& one : told) {
    found[one.job] = one.flavor;
    const Flavor& flavor = tables.flavors.at(one.flavor);
    EXPECT_EQ(one.ready, flavor.wanted.since + flavor.elastic->provisioning);
  }
  EXPECT_EQ(found, wanted.told);
}

TEST_F(WantedNodes, SoManyNodesAreWantedAsAreCounted) {
  const Campaign todo = campaign();
  int told_jobs = 0, told_gangs = 0;
  for (int i = 0; i < todo.worlds && !HasFailure(); ++i) {
    const std::uint64_t seed = todo.first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    ElasticWorld random(seed, ElasticWorld::Kind::any);
    Instant now = testing::kStart + hours(2);
    for (int step = 0; step < 8 && !HasFailure(); ++step, now = now + minutes(7)) {
      random.world().advance(now);
      random.step(now);
      const auto plan = settle(random, plain(), now);
      const auto told = told_in(plan);
      expect_bounds(random.tables());
      expect_quota(random.tables(), told);
      expect_as_counted(random.tables(), plan, told);
      for (const auto& one : told) {
        told_jobs += 1;
        told_gangs += random.tables().jobs.at(one.job).spec->nodes > 1;
      }
      std::vector<std::string> problems;
      const auto later = random.world().decide(plain(), now + minutes(1), problems);
      EXPECT_TRUE(later.provisions.empty()) << "nothing has happened since";
    }
    expect_idle(random, plain(), now);
  }
  if (todo.worlds < kWorlds || HasFailure()) return;
  EXPECT_GE(told_jobs, todo.worlds);
  EXPECT_GE(told_gangs, todo.worlds / 4);
}

TEST_F(WantedNodes, ACountedJobBeginsWhenTheNodesCome) {
  const Campaign todo = campaign();
  int began = 0;
  for (int i = 0; i < todo.worlds && !HasFailure(); ++i) {
    const std::uint64_t seed = todo.first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    ElasticWorld random(seed, ElasticWorld::Kind::whole);
    Instant now = testing::kStart + hours(2);
    for (int step = 0; step < 6 && !HasFailure(); ++step, now = now + minutes(7)) {
      random.world().advance(now);
      random.step(now);
      const auto told = told_in(settle(random, plain(), now));
      random.receive_all();
      settle(random, plain(), now);
      for (const auto& one : told) EXPECT_TRUE(random.tables().live_attempt(one.job)) << to_string(one.job);
      began += static_cast<int>(told.size());
    }
  }
  if (todo.worlds < kWorlds || HasFailure()) return;
  EXPECT_GE(began, todo.worlds);
}

// With reservations, preemption and aged jobs.
TEST_F(WantedNodes, WhateverElseIsDecidedTheyStayWithinBoundsAndComeToRest) {
  const Campaign todo = campaign();
  int told_jobs = 0, preempted = 0;
  for (int i = 0; i < todo.worlds && !HasFailure(); ++i) {
    const std::uint64_t seed = todo.first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    const engine::Policy policy{.age_cap = seed % 2 == 0 ? minutes(30) : hours(100'000)};
    ElasticWorld random(seed, seed % 5 == 0 ? ElasticWorld::Kind::whole : ElasticWorld::Kind::any);
    Instant now = testing::kStart + hours(2);
    for (int step = 0; step < 8 && !HasFailure(); ++step, now = now + minutes(7)) {
      random.world().advance(now);
      random.step(now);
      const auto told = told_in(settle(random, policy, now));
      expect_bounds(random.tables());
      expect_quota(random.tables(), told);
      told_jobs += static_cast<int>(told.size());
    }
    preempted +=
        static_cast<int>(std::ranges::count_if(random.tables().attempts | std::views::values,
                                               [](const auto& a) { return a.stop_cause == StopCause::preemption; }));
    expect_idle(random, policy, now);
  }
  if (todo.worlds < kWorlds || HasFailure()) return;
  EXPECT_GE(told_jobs, todo.worlds);
  EXPECT_GE(preempted, todo.worlds / 20);
}

}  // namespace
}  // namespace ym::reference
