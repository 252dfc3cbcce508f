// Campaigns of random worlds with elastic flavors.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "reference/elastic_world.h"

namespace ym::reference {

#if __has_feature(address_sanitizer)
inline constexpr int kWorlds = 100;
#else
inline constexpr int kWorlds = 1500;
#endif

struct Campaign {
  std::uint64_t first_seed;
  int worlds;
};

// YM_WORLDS=N runs more worlds, YM_WORLD=SEED only one.
inline Campaign campaign() {
  if (const char* one = std::getenv("YM_WORLD")) return {std::strtoull(one, nullptr, 10), 1};
  const char* worlds = std::getenv("YM_WORLDS");
  return {1, worlds ? std::atoi(worlds) : kWorlds};
}

// No reservations, no aged jobs, no preemption: the wanted nodes are exactly the counted ones.
inline engine::Policy plain() {
  return {.resizing = Resizing::off, .age_cap = hours(100'000), .preempt_phase = false, .reserve_phase = false};
}

inline std::map<std::string, std::int64_t> wanted_in(const Tables& tables) {
  std::map<std::string, std::int64_t> wanted;
  for (const auto& [name, flavor] : tables.flavors)
    if (flavor.elastic) wanted[name] = flavor.wanted.nodes;
  return wanted;
}

class ElasticWorlds : public ::testing::Test {
 protected:
  // Decides and commits until nothing is left to decide. Returns the last plan.
  engine::Plan settle(ElasticWorld& random, const engine::Policy& policy, Instant now) {
    constexpr int kMostCycles = 30;
    std::vector<std::string> problems;
    engine::Plan plan;
    for (int cycle = 0; cycle < kMostCycles; ++cycle) {
      plan = random.world().decide(policy, now, problems);
      if (plan.decisions.empty() && plan.provisions.empty()) break;
      random.world().commit(plan, problems);
    }
    EXPECT_EQ(problems, std::vector<std::string>{});
    EXPECT_TRUE(plan.decisions.empty() && plan.provisions.empty()) << "it does not come to rest:\n"
                                                                   << engine::to_text(plan);
    return plan;
  }
};

}  // namespace ym::reference
