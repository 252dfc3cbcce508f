// The launch barrier of remote tasks: it opens once, for the stored tasks.
#include "control/testing/controller_fixture.h"

namespace ym::testing {
namespace {

class LaunchBarrierTest : public ControllerTest {
 protected:
  void SetUp() override { open(two_nodes()); }
  // Another server goes on with the same state.
  void restart() { open(two_nodes()); }

  static DesiredState two_nodes() {
    return {.clusters = {{.name = "lab", .executor = "slurm"}}, .nodes = {node("n1", 4), node("n2", 4)}};
  }

  Token launched() {
    JobSpec spec = spec_of("gang");
    spec.nodes = 2;
    id_ = submit(spec);
    schedule();
    const auto token = attempt(id_).token();
    observe(token, LaunchAccepted{});
    return token;
  }

  static GangIsWaiting gang(const std::string& agent) {
    return {{{agent + "0", "10.0.0.1", 4001, "n1"}, {agent + "1", "10.0.0.2", 4002, "n2"}}};
  }

  JobId id_;
};

TEST_F(LaunchBarrierTest, IsStoredBeforeItIsOpened) {
  const auto token = launched();
  store_->fail_next(1);
  controller_->stage(Observation{token, gang("a")});
  EXPECT_FALSE(controller_->commit());
  EXPECT_TRUE(executor_.barriers().empty());
  ASSERT_TRUE(controller_->commit()) << "what was seen is kept until it can be stored";
  ASSERT_EQ(executor_.barriers().size(), 1U);
  EXPECT_EQ(executor_.barriers().front().second, gang("a").claims);
  EXPECT_EQ(attempt(id_).state, AttemptState::starting);
  EXPECT_EQ(attempt(id_).tasks[1].claim, gang("a").claims[1]);
}

TEST_F(LaunchBarrierTest, StaysOpenForItsAgentsAlone) {
  const auto token = launched();
  observe(token, gang("a"));
  observe(token, gang("b"));
  ASSERT_EQ(executor_.barriers().size(), 2U);
  EXPECT_EQ(executor_.barriers().back().second, gang("a").claims);
  restart();
  observe(token, gang("c"));
  EXPECT_EQ(executor_.barriers().back().second, gang("a").claims);
}

TEST_F(LaunchBarrierTest, AnExecutorThatBeginsAnewIsToldOfIt) {
  const auto token = launched();
  observe(token, gang("a"));
  restart();
  const auto known = executor_.attempts_at_start();
  ASSERT_EQ(known.size(), 1U);
  const auto& live = known.front();
  EXPECT_EQ(live.token(), token);
  EXPECT_EQ(live.request.job_name, "gang");
  EXPECT_EQ(live.request.placement.size(), 2U);
  EXPECT_EQ(live.tasks[0].claim, gang("a").claims[0]);
}

TEST_F(LaunchBarrierTest, StaysClosedForWhatIsToStop) {
  const auto token = launched();
  ASSERT_TRUE(execute(CancelJob{.job = id_}));
  observe(token, gang("a"));
  EXPECT_TRUE(executor_.barriers().empty());
  EXPECT_FALSE(attempt(id_).tasks[0].claim);
}

TEST_F(LaunchBarrierTest, AGangIsWholeOrItIsNone) {
  const auto token = launched();
  auto half = gang("a");
  half.claims.pop_back();
  observe(token, half);
  EXPECT_TRUE(executor_.barriers().empty());
}

}  // namespace
}  // namespace ym::testing
