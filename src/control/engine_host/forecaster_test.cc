#include "control/engine_host/forecaster.h"

#include <gtest/gtest.h>

#include <array>

#include "control/testing/controller_fixture.h"
#include "control/testing/eventually.h"

namespace ym {
namespace {

constexpr Instant kNow{1'800'000'000'000};

// Two jobs of an hour, and one GPU.
engine::State two_jobs() {
  Tables tables;
  tables.clusters["lab"] = {.name = "lab", .executor = "simulated"};
  tables.nodes["n1"] = {.name = "n1", .cluster = "lab", .gpu_type = "t4", .devices = {{.id = "0"}}, .cpus = 8 * kMilli};
  tables.queues["default"] = {.name = "default"};
  for (const std::uint64_t id : {1U, 2U}) {
    JobSpec spec = testing::spec_of("train", 1);
    spec.time_limit = hours(1);
    Job job{.id = JobId{id}, .spec = std::make_shared<const JobSpec>(spec)};
    job.name = "train";
    job.queue = "default";
    job.pending = ReasonCode::pending_evaluation;
    job.submitted_at = job.waits_since = kNow;
    tables.jobs.emplace(job.id, job);
  }
  tables.last_seq = 1;
  return engine::State::load(tables);
}

TEST(Forecaster, LearnsFromWhenJobsStart) {
  Forecaster forecaster([] {});
  const engine::State state = two_jobs();
  const std::array waiting{JobId{1}, JobId{2}};
  const auto look = [&](Instant now) {
    ASSERT_TRUE(eventually([&] { return forecaster.wait_ms() == 0; }));
    forecaster.begin(state, {}, now, waiting);
    ASSERT_TRUE(eventually([&] { return forecaster.latest()->forecast.as_of == now; }));
  };
  look(kNow);
  const auto forecast = forecaster.latest()->forecast;
  ASSERT_TRUE(forecast.starts.contains(JobId{2}));
  EXPECT_EQ(forecast.starts.at(JobId{2}).median, kNow + hours(1));
  EXPECT_FALSE(forecast.margins.contains("default"));
  // The earliest predicted start was after six minutes.
  forecaster.follow({{.seq = 2, .time = kNow + minutes(2), .payload = AttemptStarted{{JobId{2}, 1}}}});
  look(kNow + minutes(3));
  ASSERT_TRUE(forecaster.latest()->forecast.margins.contains("default"));
  EXPECT_GT(forecaster.latest()->forecast.margins.at("default").early_milli, 1000);
}

}  // namespace
}  // namespace ym
