#include "control/site/configuration.h"

#include "base/testing/sentences.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::exits;
using testing::expect_refused;
using testing::expect_sentence;
using testing::node;
using testing::one_node;
using testing::spec_of;

class Configuration : public testing::ControllerTest {};

TEST_F(Configuration, ANodeThatLeavesTheConfigurationDrainsFirst) {
  const JobId id = submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  observe(token, TaskIsRunning{0});
  open({.clusters = {{.name = "lab", .executor = "local"}}});
  ASSERT_TRUE(controller_->tables().nodes.contains("n1"));
  EXPECT_FALSE(controller_->tables().nodes.at("n1").schedulable);
  EXPECT_EQ(job(id).state, JobState::running);
  observe(token, exits(0));
  EXPECT_FALSE(controller_->tables().nodes.contains("n1"));
}

TEST_F(Configuration, ANodeThatLeavesIsRemovedWhateverAUserSaysOfIt) {
  submit(spec_of("train"));
  schedule();
  const Token token = executor_.launched().at(0).token;
  open({.clusters = {{.name = "lab", .executor = "local"}}});
  EXPECT_TRUE(controller_->tables().nodes.at("n1").leaving);
  ASSERT_TRUE(execute(SetNodeSchedulable{.node = "n1", .schedulable = true}));
  EXPECT_FALSE(controller_->tables().nodes.at("n1").in_service());
  ASSERT_TRUE(execute(SetNodeSchedulable{.node = "n1", .schedulable = false, .message = "fan"}));
  observe(token, TaskIsRunning{0});
  observe(token, exits(0));
  EXPECT_FALSE(controller_->tables().nodes.contains("n1"));
}

TEST_F(Configuration, AManualDrainOutlivesARestart) {
  ASSERT_TRUE(execute(SetNodeSchedulable{.node = "n1", .schedulable = false, .message = "fan"}));
  open(one_node());
  EXPECT_FALSE(controller_->tables().nodes.at("n1").schedulable);
  expect_sentence(controller_->tables().nodes.at("n1").message);
}

// The server would not find its attempts there, and would start others beside them.
TEST_F(Configuration, AClusterInUseStaysTheSame) {
  const auto named = [](std::string executor, std::string identity) {
    auto desired = one_node();
    desired.clusters = {{.name = "lab", .executor = std::move(executor), .identity = std::move(identity)}};
    return desired;
  };
  open(named("local", "namespace 'a'"));
  submit(spec_of("train"));
  schedule();
  expect_refused(controller_->stage_configuration(named("simulated", "")), ErrorCode::invalid);
  EXPECT_FALSE(controller_->stage_configuration(named("local", "namespace 'b'")));
  EXPECT_TRUE(controller_->stage_configuration(named("local", ""))) << "what is not known has not changed";
  EXPECT_TRUE(controller_->stage_configuration(named("local", "namespace 'a'")));
  observe(executor_.launched().at(0).token, exits(0));
  EXPECT_TRUE(controller_->stage_configuration(named("simulated", "")));
}

TEST_F(Configuration, QueuesOfTheFileAreNotEditedLive) {
  auto desired = one_node();
  desired.queues = {{.name = "a"}};
  open(desired);
  EXPECT_EQ(execute(ApplyQueues{{{.name = "a"}}}).error().code, ErrorCode::conflict);
  EXPECT_TRUE(execute(ApplyQueues{{{.name = "b"}}}));
  EXPECT_TRUE(controller_->tables().queues.contains("b"));
}

}  // namespace
}  // namespace ym
