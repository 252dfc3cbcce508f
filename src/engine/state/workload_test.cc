#include "engine/state/workload.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

// The number of GPUs by which types are told apart.
std::vector<std::int64_t> types_of(std::int64_t ones, std::int64_t twos) {
  const Names profiles;
  Workload workload;
  workload.add({.devices = 1}, ones);
  workload.add({.devices = 2}, twos);
  workload.add({.cpus = 1'000}, 50);
  std::vector<std::int64_t> found;
  for (const TaskType& type : workload.types(profiles)) found.push_back(type.need.devices);
  return found;
}

TEST(Workload, TheCommonestAreThoseThatMakeUpNearlyAllTasks) {
  EXPECT_EQ(types_of(96, 4), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(types_of(97, 3), (std::vector<std::int64_t>{1})) << "97 of 100 are enough";
  EXPECT_EQ(types_of(50, 50), (std::vector<std::int64_t>{2, 1})) << "of as many those that need more";
}

TEST(Workload, WhoIsGoneCountsNoMore) {
  const Names profiles;
  Workload workload;
  workload.add({.devices = 1}, 3);
  workload.add({.devices = 1}, -3);
  EXPECT_TRUE(workload.types(profiles).empty());
}

}  // namespace
}  // namespace ym::engine
