// The lost GPU time that control computes for attempts equals the loss that a simulation measures for the job.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "sim/simulate/recorder.h"
#include "sim/site/site.h"

namespace ym::sim {
namespace {

constexpr Instant kBegin{1'800'000'000'000};
constexpr int kGpus = 8;
constexpr Duration kWork = seconds(100);

JobSpec job(const std::string& name, Duration work, std::int32_t priority) {
  JobSpec spec{.name = name, .run = {.words = {"sleep", std::to_string(work.ms / 1000)}}, .workdir = "/"};
  spec.resources = {.gpus = kGpus * kMilli, .cpus = kMilli};
  spec.priority = priority;
  return spec;
}

// A job that is stopped once, after 40 seconds, for a job of ten seconds.
class LostWork : public ::testing::Test {
 protected:
  using Environment = std::map<std::string, std::string>;

  // `start`: the time that each start takes, and that the site assumes.
  void run(const Environment& environment, Duration start) {
    recorder_.begin(kBegin, kGpus * kMilli);
    auto site = Site::open({.desired = one_node(), .settings = {.restart_cost = start}, .begin = kBegin},
                           [this](const Committed& committed, const Tables& tables) {
                             recorder_.follow(committed, tables);
                             for (const auto& event : *committed.events) reckon(event);
                           });
    ASSERT_TRUE(site) << site.error().message;
    JobSpec low = job("low", kWork, 20);
    low.env = environment;
    low.env["SIMULATED_START_TIME"] = to_string(start);
    submit(**site, low, kWork);
    advance(**site, kBegin + seconds(40));
    submit(**site, job("high", seconds(10), 80), seconds(10));
    advance(**site, kBegin + minutes(10));
    ASSERT_EQ(ended_.size(), 2U);
    EXPECT_EQ(ended_.at("low").preemptions, 1);
  }
  std::int64_t measured() const { return ended_.at("low").lost_gpu_ms; }

  std::int64_t reckoned_ = 0;

 private:
  static DesiredState one_node() {
    Node node{.name = "n1", .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli};
    for (int i = 0; i < kGpus; ++i) node.devices.push_back({.id = std::to_string(i)});
    return {.clusters = {{.name = "lab", .executor = "simulated"}}, .nodes = {node}};
  }
  void submit(Site& site, const JobSpec& spec, Duration work) {
    SubmitJobs command{.specs = {spec}, .idempotency_key = {}, .request_hash = {}};
    site.execute({.principal = "ann"}, std::move(command), [this, name = spec.name, work](Result<CommandReply> reply) {
      ASSERT_TRUE(reply) << reply.error().message;
      recorder_.name(reply->jobs.front()->id, name, work);
    });
  }
  static void advance(Site& site, Instant to) {
    for (site.settle(); site.now() < to; site.settle())
      site.advance_to(std::max(site.now(), std::min(to, site.next().value_or(to))));
  }
  void reckon(const Event& event) {
    if (const auto* ended = std::get_if<AttemptEnded>(&event.payload)) reckoned_ += ended->lost_gpu_ms.value_or(0);
  }

  std::map<std::string, JobRecord> ended_;
  Recorder recorder_{[this](const JobRecord& record) { ended_[record.trace_id] = record; }};
};

TEST_F(LostWork, AJobThatSavesNothingDoesAllOfItAgain) {
  run({}, {});
  EXPECT_EQ(reckoned_, kGpus * seconds(40).ms);
  EXPECT_EQ(measured(), reckoned_);
}

TEST_F(LostWork, AJobThatSavesInItsGraceHasLostItsStart) {
  run({{"SIMULATED_CHECKPOINTS", "stop"}}, seconds(5));
  EXPECT_EQ(reckoned_, kGpus * seconds(5).ms);
  EXPECT_EQ(measured(), reckoned_ + kGpus * seconds(5).ms) << "a simulation counts the first start too";
}

TEST_F(LostWork, AKilledJobHasLostWhatItDidAfterTheSaveOfItsGrace) {
  run({{"SIMULATED_CHECKPOINTS", "15s"}, {"SIMULATED_STOP_TIME", "1h"}}, {});
  EXPECT_EQ(reckoned_, kGpus * seconds(10).ms) << "it worked until 70 s, and had saved at 60 s";
  EXPECT_EQ(measured(), reckoned_);
}

}  // namespace
}  // namespace ym::sim
