#include "engine/state/workload.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

// The number of GPUs by which types are told apart.
std::vector<std::int64_t> types_of(std::int64_t ones, std::int64_t twos) {
  const Names<ProfileIndex> profiles;
  Workload workload;
  workload.add(kNone, {.devices = 1}, ones);
  workload.add(kNone, {.devices = 2}, twos);
  workload.add(kNone, {.cpus = 1'000}, 50);
  std::vector<std::int64_t> found;
  for (const TaskType& type : workload.types(profiles)) found.push_back(type.need.devices);
  return found;
}

TEST(Workload, TheCommonestAreThoseThatMakeUpNearlyAllTasks) {
  EXPECT_EQ(types_of(98, 2), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(types_of(99, 1), (std::vector<std::int64_t>{1})) << "99 of 100 are enough";
  EXPECT_EQ(types_of(50, 50), (std::vector<std::int64_t>{2, 1})) << "of as many those that need more";
}

TEST(Workload, AJobThatIsGoneCountsNoMore) {
  const Names<ProfileIndex> profiles;
  Workload workload;
  workload.add(kNone, {.devices = 1}, 3);
  workload.add(kNone, {.devices = 1}, -3);
  EXPECT_TRUE(workload.types(profiles).empty());
}

TEST(Workload, TellsHowManyGpusAreWantedUnderEachRule) {
  Workload workload;
  workload.add(RuleIndex{0}, {.devices = 2}, 3);
  workload.add(RuleIndex{0}, {.part = {.milli = 250}}, 2);
  workload.add(RuleIndex{1}, {.devices = 1, .profile = ProfileIndex{0}}, 5);
  workload.add(RuleIndex{2}, {.cpus = 4}, 5);
  EXPECT_EQ(workload.gpus_by_rule(), (std::map<RuleIndex, std::int64_t>{{RuleIndex{0}, 6'500}}))
      << "slices and CPUs are none";
}

}  // namespace
}  // namespace ym::engine
