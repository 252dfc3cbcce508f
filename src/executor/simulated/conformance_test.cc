// The suite, without tests that need programs.
#include <gtest/gtest.h>

#include <chrono>

#include "executor/conformance/suite.h"
#include "executor/simulated/simulated_executor.h"

namespace ym {
namespace {

class WallClock final : public Clock {
 public:
  Instant now() const override {
    return {std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
                .count()};
  }
};

class SimulatedHost final : public testing::ExecutorHost {
 public:
  std::unique_ptr<Executor> make() override {
    SimulatedOptions options;
    for (int number = 0; number < 4; ++number) options.nodes.push_back(node(number));
    return make_simulated_executor(std::move(options), clock_);
  }
  Node node(int number) override { return {.name = "n" + std::to_string(number), .cluster = "simulated"}; }
  std::filesystem::path scratch() const override { return "/nonexistent"; }
  // sleep sleeps; every other program ends at once.
  Program shell(const std::string& line) const override {
    if (line == "exec sleep 1000") return {Program::Form::argv, {"sleep", "1000"}};
    return {Program::Form::argv, {"true"}};
  }
  bool runs_programs() const override { return false; }
  bool keeps_state() const override { return false; }

 private:
  WallClock clock_;
};

const bool kRegistered =
    testing::register_executor_conformance("Simulated", [] { return std::make_unique<SimulatedHost>(); });

TEST(SimulatedExecutor, PassesTheSuite) { ASSERT_TRUE(kRegistered); }

}  // namespace
}  // namespace ym
