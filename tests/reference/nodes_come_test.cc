// Random worlds with elastic flavors, groups, levels and nodes that not every job can use: nodes arrive one by one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ranges>

#include "reference/elastic_campaign.h"
#include "reference/machines.h"
#include "reference/quota.h"

namespace ym::reference {
namespace {

class NodesCome : public ElasticWorlds {
 protected:
  // Whether the job could run alone on existing nodes and on nodes that could still be made, counted in a simple way.
  // Jobs with levels, groups or several types are not judged.
  static bool could_begin(const Tables& tables, const Job& job) {
    const Flavor& flavor = tables.flavors.at("burst");
    const JobSpec& spec = *job.spec;
    const bool plain_gang = spec.groups.empty() && spec.placement->required_level.empty() && !spec.placement->slice &&
                            spec.resources.other_gpu_types.empty();
    const NaiveQuota quota(tables.queues, {});
    if (job.state != JobState::queued || !plain_gang || !flavor.elastic) return false;
    if (!quota.can_hold_jobs(job.queue) || !quota.covers_ever(job, "burst")) return false;
    const Machines machines(tables);
    std::int64_t usable = 0, there = 0;
    for (const Node& node : tables.nodes | std::views::values) {
      if (!flavor.matches(node)) continue;
      there += node.is_there() ? 1 : 0;
      usable += machines.in_service(node) && machines.rules_allow(job, node, "burst") ? 1 : 0;
    }
    return usable + std::max<std::int64_t>(0, flavor.elastic->max_nodes - there) >= spec.nodes;
  }

  static std::vector<JobId> waiting(const Tables& tables) {
    std::vector<JobId> found;
    for (const auto& [id, job] : tables.jobs)
      if (could_begin(tables, job)) found.push_back(id);
    return found;
  }
};

TEST_F(NodesCome, TheNumberStaysUntilAJobBegins) {
  const Campaign todo = campaign();
  int stayed = 0;
  for (int i = 0; i < todo.worlds && !HasFailure(); ++i) {
    const std::uint64_t seed = todo.first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    ElasticWorld random(seed, ElasticWorld::Kind::varied);
    Instant now = testing::kStart + hours(2);
    for (int step = 0; step < 6 && !HasFailure(); ++step, now = now + minutes(7)) {
      random.world().advance(now);
      random.step(now);
      settle(random, plain(), now);
      auto wanted = wanted_in(random.tables());
      auto begun = random.tables().attempts.size();
      while (!HasFailure() && random.receive_one()) {
        settle(random, plain(), now);
        const bool same = random.tables().attempts.size() == begun;
        if (same) EXPECT_EQ(wanted_in(random.tables()), wanted);
        stayed += same;
        wanted = wanted_in(random.tables());
        begun = random.tables().attempts.size();
      }
    }
  }
  if (todo.worlds < kWorlds || HasFailure()) return;
  EXPECT_GE(stayed, todo.worlds / 2);
}

// With any number of aged jobs and any jobs ahead of them: as nodes arrive and running jobs end, some job starts, as
// long as one could.
TEST_F(NodesCome, NoJobKeepsThemFromAllOthersForEver) {
  constexpr int kMostRounds = 12;  // in which nobody does: twice as many as there may be nodes
  const Campaign todo = campaign();
  int began = 0;
  for (int i = 0; i < todo.worlds && !HasFailure(); ++i) {
    const std::uint64_t seed = todo.first_seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE(fmt::format("run it alone with YM_WORLD={}", seed));
    const engine::Policy policy{.age_cap = minutes(30)};
    ElasticWorld random(seed, ElasticWorld::Kind::varied);
    Instant now = testing::kStart + hours(2);
    for (int step = 0; step < 4; ++step, now = now + minutes(7)) {
      random.world().advance(now);
      random.step(now);
      settle(random, policy, now);
    }
    for (int idle = 0; idle < kMostRounds && !waiting(random.tables()).empty(); now = now + seconds(10)) {
      random.world().advance(now);
      const auto before = random.tables().attempts.size();
      random.end_all();
      random.take_back();
      random.receive_one();
      settle(random, policy, now);
      const bool some_began = random.tables().attempts.size() > before;
      began += some_began;
      idle = some_began ? 0 : idle + 1;
    }
    EXPECT_EQ(waiting(random.tables()), std::vector<JobId>{});
  }
  if (todo.worlds < kWorlds || HasFailure()) return;
  EXPECT_GE(began, todo.worlds);
}

}  // namespace
}  // namespace ym::reference
