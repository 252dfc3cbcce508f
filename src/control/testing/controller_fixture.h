// A controller with the real engine, a store in memory and an executor that only records.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "control/controller.h"
#include "control/testing/flaky_store.h"
#include "control/testing/recording_executor.h"
#include "store/memory/memory_store.h"

namespace ym::testing {

inline Node node(const std::string& name, int gpus) {
  Node n{.name = name, .cluster = "lab", .gpu_type = "t4", .cpus = 16 * kMilli, .memory_bytes = 64 * kGiB};
  for (int i = 0; i < gpus; ++i) n.devices.push_back({.id = std::to_string(i)});
  return n;
}

inline DesiredState one_node() {
  return {.clusters = {{.name = "lab", .executor = "local"}}, .nodes = {node("n1", 4)}};
}

inline JobSpec spec_of(const std::string& name, int gpus = 1) {
  JobSpec spec{.name = name, .run = {.words = {"true"}}, .workdir = "/"};
  spec.resources = {.gpus = gpus * kMilli, .cpus = kMilli};
  return spec;
}

class ControllerTest : public ::testing::Test {
 protected:
  void SetUp() override { open(one_node()); }

  void open(const DesiredState& desired) {
    controller_ = std::make_unique<Controller>(*store_, Controller::Executors{{"lab", &executor_}}, clock_, options_,
                                               [this](const Committed& committed, const Tables&) {
                                                 events_.insert(events_.end(), committed.events->begin(),
                                                                committed.events->end());
                                               });
    ASSERT_TRUE(controller_->open(desired));
    ASSERT_TRUE(controller_->start_executors([](const Observation&) {}));
  }

  Result<CommandReply> execute(Command command) {
    std::optional<Result<CommandReply>> answer;
    controller_->stage({.principal = "alice"}, command, [&](Result<CommandReply> r) { answer = std::move(r); });
    EXPECT_FALSE(answer) << "a reply came before the commit";
    (void)controller_->commit();
    EXPECT_TRUE(answer);
    return std::move(*answer);
  }

  JobId submit(const JobSpec& spec) { return execute(SubmitJobs{.specs = {spec}})->jobs.at(0)->id; }

  void observe(const Token& token, auto what) {
    controller_->stage(Observation{token, what});
    ASSERT_TRUE(controller_->commit());
  }

  // What the engine thread does, on this thread.
  void schedule() {
    auto state = engine::State::load(controller_->tables());
    controller_->stage(engine::decide(state, {}, clock_.now()));
    ASSERT_TRUE(controller_->commit());
  }

  const Job& job(JobId id) const { return controller_->tables().jobs.at(id); }
  Job ended(JobId id) { return store_->reader().value()->job(id).value().value(); }
  Attempt attempt(JobId id) { return store_->reader().value()->attempts(id).value().back(); }

  ManualClock clock_;
  RecordingExecutor executor_;
  std::unique_ptr<FlakyStore> store_ = std::make_unique<FlakyStore>(make_memory_store());
  // Without usage samples: they are due each minute, and nothing else is to be due.
  ControllerOptions options_{.version = "test", .usage_kept = {}};
  std::unique_ptr<Controller> controller_;
  std::vector<Event> events_;
};

inline TaskHasEnded exits(int code, std::int32_t task = 0) {
  return {task, {.by = code < 0 ? EndedBy::signal : EndedBy::exit, .exit_code = code}};
}

}  // namespace ym::testing
