#include "control/commands/reservation_commands.h"

#include "base/testing/sentences.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::expect_refused;
using testing::one_node;
using testing::spec_of;

class ReservationCommands : public testing::ControllerTest {
 protected:
  ReservationRequest request(std::string name, Duration from, Duration until) const {
    return {.wanted = {.name = std::move(name), .from = clock_.now() + from, .until = clock_.now() + until}};
  }
  Result<CommandReply> create(ReservationRequest request) { return execute(CreateReservation{std::move(request)}); }
  const std::map<std::string, AdvanceReservation>& rows() const { return controller_->tables().reservations; }
};

TEST_F(ReservationCommands, NodesAreSetAsideUntilItIsOver) {
  auto maintenance = request("disks", hours(1), hours(3));
  maintenance.wanted.nodes = {"n1"};
  ASSERT_TRUE(create(maintenance));
  EXPECT_EQ(rows().at("disks").created_by, "alice");
  expect_refused(create(maintenance), ErrorCode::conflict);
  EXPECT_EQ(controller_->next_due(), clock_.now() + hours(3));
  clock_.advance(hours(3));
  controller_->do_due();
  ASSERT_TRUE(controller_->commit());
  EXPECT_TRUE(rows().empty());
}

TEST_F(ReservationCommands, OneCanBeGivenBack) {
  auto wanted = request("disks", {}, hours(1));
  wanted.wanted.nodes = {"n1"};
  ASSERT_TRUE(create(wanted));
  ASSERT_TRUE(execute(RemoveReservation{"disks"}));
  EXPECT_TRUE(rows().empty());
  EXPECT_EQ(execute(RemoveReservation{"disks"}).error().code, ErrorCode::not_found);
}

TEST_F(ReservationCommands, WhatIsNotThereIsNamedWithItsField) {
  auto wanted = request("disks", {}, hours(1));
  wanted.wanted.nodes = {"n9"};
  wanted.wanted.queues = {"nobody"};
  const auto refused = create(wanted);
  expect_refused(refused, ErrorCode::invalid, "/nodes");
  ASSERT_EQ(refused.error().fields.size(), 2u);
  EXPECT_EQ(refused.error().fields[1].pointer, "/queues");
}

TEST_F(ReservationCommands, AJobThatMayStillBeThereIsNamedUnlessItMayUseItOrMayGoOn) {
  submit(spec_of("train"));
  schedule();
  auto wanted = request("disks", minutes(1), hours(1));
  wanted.wanted.nodes = {"n1"};
  expect_refused(create(wanted), ErrorCode::conflict);
  auto by_count = request("two", minutes(1), hours(1));
  by_count.node_count = 1;
  expect_refused(create(by_count), ErrorCode::conflict);
  wanted.wanted.users = {"alice"};
  EXPECT_TRUE(create(wanted)) << "the job is hers";
  ASSERT_TRUE(execute(RemoveReservation{"disks"}));
  wanted.wanted.users.clear();
  wanted.ignore_jobs = true;
  EXPECT_TRUE(create(wanted));
}

TEST_F(ReservationCommands, SoManyAreTheFirstThatNothingStandsInTheWayOf) {
  auto desired = one_node();
  for (const char* name : {"n2", "n3"}) {
    desired.nodes.push_back(desired.nodes.front());
    desired.nodes.back().name = name;
  }
  open(desired);
  auto first = request("first", hours(1), hours(2));
  first.node_count = 1;
  ASSERT_TRUE(create(first));
  EXPECT_EQ(rows().at("first").nodes, std::vector<std::string>{"n1"});
  auto second = request("second", hours(1), hours(2));
  second.node_count = 2;
  ASSERT_TRUE(create(second));
  EXPECT_EQ(rows().at("second").nodes, (std::vector<std::string>{"n2", "n3"}));
  auto third = request("third", hours(1), hours(2));
  third.node_count = 1;
  expect_refused(create(third), ErrorCode::conflict);
  auto later = request("later", hours(2), hours(3));
  later.node_count = 3;
  EXPECT_TRUE(create(later)) << "the others are over then";
  auto other = request("other", hours(1), hours(2));
  other.wanted.nodes = {"n2"};
  other.wanted.users = {"eve"};
  expect_refused(create(other), ErrorCode::conflict);
}

}  // namespace
}  // namespace ym
