#include "fault_injection/fault_run.h"

#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

namespace ym::sim {
namespace {

class Quiet : public testing::Environment {
  void SetUp() override { spdlog::set_level(spdlog::level::off); }
};
const auto* const kQuiet = testing::AddGlobalTestEnvironment(new Quiet);

TEST(FaultRun, ASeedGivesTheSameRunTwice) {
  const auto once = run_with_faults({.seed = 7}), twice = run_with_faults({.seed = 7});
  EXPECT_GT(once.events, 100);
  EXPECT_EQ(once.events, twice.events);
  EXPECT_EQ(once.times, twice.times);
  EXPECT_EQ(once.faults, twice.faults);
}

TEST(FaultRun, OldEventsLeaveInSomeRuns) {
  std::int64_t moved = 0;
  for (const std::uint64_t seed : {3U, 6U, 9U, 12U}) {
    const auto report = run_with_faults({.seed = seed});
    for (const auto& violation : report.violations)
      ADD_FAILURE() << name_of(violation.promise) << ": " << violation.what;
    moved += report.moved;
  }
  EXPECT_GT(moved, 100);
  EXPECT_EQ(run_with_faults({.seed = 7}).moved, 0);
}

struct Broken {
  Canary canary;
  Promise promise;
};
class Canaries : public testing::TestWithParam<Broken> {};

// In at least one of several runs: not every run has the situation of the canary.
TEST_P(Canaries, AreSeenByTheWatches) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto report = run_with_faults({.seed = seed, .canary = GetParam().canary});
    for (const auto& violation : report.violations)
      if (violation.promise == GetParam().promise) return;
  }
  FAIL() << "no watch noticed the broken promise: " << name_of(GetParam().promise);
}

INSTANTIATE_TEST_SUITE_P(Each, Canaries,
                         testing::Values(Broken{Canary::disk_lies, Promise::acknowledged_is_kept},
                                         Broken{Canary::key_is_dropped, Promise::one_job_for_a_key},
                                         Broken{Canary::barrier_is_missing, Promise::starts_once},
                                         Broken{Canary::end_is_invented, Promise::old_is_gone_first},
                                         Broken{Canary::task_is_missing, Promise::gang_is_whole},
                                         Broken{Canary::node_is_counted_twice, Promise::capacity_holds},
                                         Broken{Canary::restart_kills, Promise::restart_is_harmless},
                                         Broken{Canary::end_is_forgotten, Promise::end_is_final},
                                         Broken{Canary::stop_is_ignored, Promise::cancelled_is_gone},
                                         Broken{Canary::engine_hangs, Promise::nothing_waits_silently},
                                         Broken{Canary::begun_anew, Promise::lost_state_is_refused},
                                         Broken{Canary::grace_is_cut, Promise::preempted_in_good_order},
                                         Broken{Canary::event_is_changed, Promise::audit_is_whole}));

}  // namespace
}  // namespace ym::sim
