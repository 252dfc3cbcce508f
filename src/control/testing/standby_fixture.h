// A server that leads, and one that stands by and follows it, on one store.
#pragma once

#include "control/serve/standby_server.h"
#include "control/testing/server_fixture.h"

namespace ym::testing {

class StandbyTest : public ControlServerTest {
 protected:
  void SetUp() override {
    ControlServerTest::SetUp();
    standby_ = make_standby(source());
  }

  StandbyServer::Source source() {
    return {.load = [this] { return store_.load(); },
            .reader = [this] { return store_.reader(); },
            .job_token_key = [this]() -> Result<Secret> { return key_; }};
  }
  std::shared_ptr<StandbyServer> make_standby(StandbyServer::Source source) {
    return std::make_shared<StandbyServer>(
        std::move(source), [this] { return standing_; }, StandbyServer::Settings{.policy = {.age_cap = hours(3)}},
        clock_);
  }

  // Waits until the standby has seen all that the leader has published.
  void catch_up() {
    ASSERT_TRUE(eventually([&] {
      EXPECT_TRUE(standby_->follow());
      return standby_->reads().last_seq() == server_->reads().last_seq();
    }));
  }

  StandbyServer::Standing standing_ = StandbyServer::behind("a, process 7", "http://a:8470");
  std::shared_ptr<StandbyServer> standby_;
};

}  // namespace ym::testing
