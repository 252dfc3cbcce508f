// No job gets devices that still have leftovers.
#include "control/testing/controller_fixture.h"

namespace ym::testing {
namespace {

using DeviceHealthTest = ControllerTest;

DevicesAreUnhealthy left_on(const std::set<std::string>& devices) {
  DevicesAreUnhealthy seen{.node = "n1", .devices = {}, .message = "something is left"};
  for (const auto& device : devices) seen.devices[device] = "left on " + device;
  return seen;
}

TEST_F(DeviceHealthTest, AnUnhealthyDeviceIsGivenToNoJobUntilItIsHealthyAgain) {
  observe(Token{}, left_on({"1"}));
  EXPECT_EQ(events_.back().actor, "executor:lab");
  EXPECT_EQ(events_.back().reason, "something is left");
  EXPECT_EQ(controller_->tables().nodes.at("n1").devices.at(1).message, "left on 1");
  const auto large = submit(spec_of("large", 4));
  const auto small = submit(spec_of("small", 3));
  schedule();
  EXPECT_EQ(job(large).state, JobState::queued);
  EXPECT_EQ(controller_->tables().attempts.at({small, 1}).placement.front().devices,
            (std::vector<std::string>{"0", "2", "3"}));
  observe({small, 1, controller_->tables().attempts.at({small, 1}).epoch}, TaskIsRunning{0});
  observe({small, 1, controller_->tables().attempts.at({small, 1}).epoch}, exits(0));
  observe(Token{}, left_on({}));
  EXPECT_EQ(controller_->tables().nodes.at("n1").devices.at(1).message, "");
  schedule();
  EXPECT_EQ(job(large).state, JobState::starting);
}

TEST_F(DeviceHealthTest, TheSameIsNoNewsAndAnUnknownNodeIsIgnored) {
  observe(Token{}, left_on({"1"}));
  const auto before = events_.size();
  observe(Token{}, left_on({"1"}));
  observe(Token{}, DevicesAreUnhealthy{.node = "n9", .devices = {{"1", "?"}}, .message = "?"});
  EXPECT_EQ(events_.size(), before);
}

TEST_F(DeviceHealthTest, WhatIsUnhealthyStaysSoWhenTheConfigurationIsReadAgain) {
  observe(Token{}, left_on({"1"}));
  auto desired = one_node();
  desired.nodes.push_back(node("n2", 1));
  ASSERT_TRUE(controller_->stage_configuration(desired));
  ASSERT_TRUE(controller_->commit());
  EXPECT_FALSE(controller_->tables().nodes.at("n1").devices.at(1).healthy);
  EXPECT_EQ(controller_->tables().nodes.at("n1").devices.at(1).message, "left on 1");
  EXPECT_TRUE(controller_->tables().nodes.at("n1").devices.at(0).healthy);
  EXPECT_TRUE(controller_->tables().nodes.at("n2").devices.at(0).healthy);
}

}  // namespace
}  // namespace ym::testing
