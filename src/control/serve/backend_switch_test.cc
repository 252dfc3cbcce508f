#include "control/serve/backend_switch.h"

#include "control/testing/standby_fixture.h"

namespace ym {
namespace {

using testing::spec_of;

class Switched : public testing::StandbyTest {
 protected:
  BackendSwitch door_;
};

TEST_F(Switched, FirstTheOneAnswersThenTheOther) {
  catch_up();
  door_.set(backend_of(standby_));
  EXPECT_TRUE(door_.current()->reads.not_ready());
  const auto before = door_.current()->reads.last_seq();
  const auto id = submit("train");
  EXPECT_LT(door_.current()->reads.last_seq(), server_->reads().last_seq()) << "not followed yet";
  std::optional<Result<CommandReply>> refused;
  door_.current()->commands.execute({.principal = "alice"}, SubmitJobs{.specs = {spec_of("more")}},
                                    [&](Result<CommandReply> reply) { refused = std::move(reply); });
  EXPECT_EQ(refused->error().code, ErrorCode::unavailable);
  door_.set(backend_of(server_));
  EXPECT_FALSE(door_.current()->reads.not_ready());
  EXPECT_GT(door_.current()->reads.last_seq(), before);
  EXPECT_EQ(door_.current()->reads.job(self_, id)->job->name, "train");
  std::promise<Result<CommandReply>> answered;
  door_.current()->commands.execute({.principal = "alice"}, SubmitJobs{.specs = {spec_of("more")}},
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
  door_.set(backend_of(standby_));
  const auto from = door_.current()->reads.last_seq();
  submit("followed");
  catch_up();
  submit("not followed");
  std::jthread more([&] {
    for (int i = 0; i < 50; ++i) submit("meanwhile");
  });
  door_.set(backend_of(server_));
  more.join();
  submit("later");
  ASSERT_TRUE(eventually([&] {
    const auto all = server_->reads().stored_events({.after = from}, 1000).value();
    const std::lock_guard lock(mutex);
    return told == all;
  }));
}

TEST_F(Switched, TheBackendThatAnsweredBeforeIsLetGo) {
  catch_up();
  door_.set(backend_of(standby_));
  const std::weak_ptr<StandbyServer> before = std::exchange(standby_, nullptr);
  EXPECT_FALSE(before.expired());
  auto request = door_.current();
  door_.set(backend_of(server_));
  EXPECT_FALSE(before.expired()) << "a request that has begun goes on with it";
  EXPECT_TRUE(request->reads.not_ready());
  request.reset();
  EXPECT_TRUE(before.expired());
}

TEST_F(Switched, CountsListeners) {
  EXPECT_EQ(door_.listeners(), 0u);
  auto listening = door_.listen([](const std::vector<Event>&) {});
  EXPECT_EQ(door_.listeners(), 1u);
  listening.reset();
  EXPECT_EQ(door_.listeners(), 0u);
}

}  // namespace
}  // namespace ym
