#include "control/engine_host/engine_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "control/boot_clock.h"
#include "control/testing/controller_fixture.h"
#include "control/testing/eventually.h"

namespace ym {
namespace {

std::int64_t cycles_of(const EngineThread& engine) {
  const auto counted = engine.report()->cycles.count;
  return std::accumulate(counted.begin(), counted.end(), std::int64_t{0});
}

// While a plan is out, no decision is due by time alone. One is due again when the plan is stored, also without other
// events.
TEST(EngineThread, APlanThatIsStoredSlowlyDoesNotHideWhatTimeBrings) {
  const BootClock clock;
  Tables tables;
  tables.queues["default"] = Queue{.name = "default"};
  Job job;
  job.id = {1};
  job.name = "tried again";
  job.queue = "default";
  job.state = JobState::queued;
  job.pending = ReasonCode::pending_evaluation;
  job.not_before = clock.now() + seconds(2);
  job.spec = std::make_shared<const JobSpec>(testing::spec_of("tried again", 1));
  tables.jobs.emplace(job.id, job);
  std::atomic<int> proposed = 0;
  EngineThread engine(engine::State::load(tables), {}, clock, [&](const auto&) { ++proposed; });
  ASSERT_TRUE(eventually([&] { return proposed > 0; })) << "it waits for its backoff";
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto before = cycles_of(engine);
  engine.settled(EngineFeed::PlanOutcome::stored);
  EXPECT_TRUE(eventually([&] { return cycles_of(engine) > before; }));
}

}  // namespace
}  // namespace ym
