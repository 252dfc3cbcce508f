#include "control/switched_service.h"

#include "control/testing/standby_fixture.h"

namespace ym {
namespace {

using testing::spec_of;

class Switched : public testing::StandbyTest {
 protected:
  std::shared_ptr<Service> leader() { return {std::shared_ptr<void>(), server_.get()}; }

  SwitchedService door_;
};

TEST_F(Switched, FirstTheOneAnswersThenTheOther) {
  catch_up();
  door_.set(standby_);
  EXPECT_TRUE(door_.not_ready());
  const auto before = door_.last_seq();
  const auto id = submit("train");
  EXPECT_LT(door_.last_seq(), server_->last_seq()) << "not followed yet";
  std::optional<Result<CommandReply>> refused;
  door_.execute({"alice", "admin"}, SubmitJobs{.specs = {spec_of("more")}},
                [&](Result<CommandReply> reply) { refused = std::move(reply); });
  EXPECT_EQ(refused->error().code, ErrorCode::unavailable);
  door_.set(leader());
  EXPECT_FALSE(door_.not_ready());
  EXPECT_GT(door_.last_seq(), before);
  EXPECT_EQ(door_.job(id)->job->name, "train");
  std::promise<Result<CommandReply>> answered;
  door_.execute({"alice", "admin"}, SubmitJobs{.specs = {spec_of("more")}},
                [&](Result<CommandReply> reply) { answered.set_value(std::move(reply)); });
  EXPECT_TRUE(answered.get_future().get());
}

TEST_F(Switched, ListenersMissNothingAndAreToldNothingTwice) {
  std::mutex mutex;
  std::vector<Event> told;
  const auto listening = door_.listen([&](const std::vector<Event>& events) {
    const std::lock_guard lock(mutex);
    told.insert(told.end(), events.begin(), events.end());
  });
  catch_up();
  door_.set(standby_);
  const auto from = door_.last_seq();
  submit("followed");
  catch_up();
  submit("not followed");
  std::jthread more([&] {
    for (int i = 0; i < 50; ++i) submit("meanwhile");
  });
  door_.set(leader());
  more.join();
  submit("later");
  ASSERT_TRUE(eventually([&] {
    const auto all = server_->events({.after = from}, 1000)->items;
    const std::lock_guard lock(mutex);
    return told == all;
  }));
}

TEST_F(Switched, WhoAnsweredBeforeIsLetGo) {
  catch_up();
  door_.set(standby_);
  const std::weak_ptr<Service> before = std::exchange(standby_, nullptr);
  EXPECT_FALSE(before.expired());
  door_.set(leader());
  EXPECT_TRUE(before.expired());
}

}  // namespace
}  // namespace ym
