#include "api/user_guard.h"

#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::eventually;
using ym::testing::FakeBackend;
using ym::testing::RawClient;
using ym::testing::simple_spec;

TEST(UserGuard, BoundsWhatAUserHasInProgress) {
  UserGuard guard;
  UserLimits limits = user_limits_of({.requests_in_progress = 2});
  auto first = guard.admit("ann", limits);
  auto second = guard.admit("ann", limits);
  EXPECT_TRUE(first && second);
  EXPECT_EQ(guard.admit("ann", limits).error().code, ErrorCode::rate_limited);
  EXPECT_TRUE(guard.admit("bob", limits)) << "another user is not concerned";
  first->reset();
  EXPECT_TRUE(guard.admit("ann", limits));
}

TEST(UserGuard, ANewLimitHoldsAtOnce) {
  UserGuard guard;
  UserLimits limits = user_limits_of({.requests_per_second = 1});
  int admitted = 0;
  for (int i = 0; i < 20; ++i) admitted += guard.admit("ann", limits) ? 1 : 0;
  EXPECT_LE(admitted, 4);
  limits.requests_per_second = 1'000'000;
  EXPECT_TRUE(eventually([&] { return guard.admit("ann", limits).has_value(); }));
}

TEST(UserGuard, AReaderOfLogsWaitsUntilItsLevelIsAboveZero) {
  UserGuard guard;
  (void)guard.admit("ann", user_limits_of({.log_bytes_per_second = 1'000'000}));
  EXPECT_TRUE(guard.may_read_log("ann"));
  guard.note_log("ann", 1'100'000);
  EXPECT_FALSE(guard.may_read_log("ann"));
  EXPECT_TRUE(guard.may_read_log("bob"));
  EXPECT_TRUE(eventually([&] { return guard.may_read_log("ann"); }));
}

class LimitedUsers : public ym::testing::ApiTest {
 protected:
  void watch(RawClient& client, std::string_view token) {
    client.send(ym::testing::to_bytes(
        {.target = "/api/v1/events", .token = std::string(token), .headers = {{"Accept", "text/event-stream"}}}));
  }
};

TEST_F(LimitedUsers, AFollowedFeedCountsUntilItsClientIsGone) {
  limit_users("requests_in_progress: 1");
  auto first = std::make_unique<RawClient>(port());
  watch(*first, kAdmin);
  ASSERT_TRUE(first->read_until("retry: 1000\n\n"));
  EXPECT_EQ(get("/api/v1/jobs").status, 429);
  RawClient other(port());
  watch(other, FakeBackend::kUserToken);
  EXPECT_TRUE(other.read_until("retry: 1000\n\n"));
  first.reset();
  EXPECT_TRUE(eventually([&] { return get("/api/v1/jobs").status == 200; }));
}

TEST_F(LimitedUsers, TheirLogsComeLaterAndWhole) {
  limit_users("log_bytes_per_second: 200KiB");
  const JobId job = backend.add_job(simple_spec()).id;
  backend.add_attempt({.job = job, .number = 1});
  const std::string text(std::size_t{260} << 10, 'x');
  backend.write_log({job, 1}, 0, text, true);
  EXPECT_EQ(get("/api/v1/jobs/" + to_string(job) + "/logs").body.size(), text.size());
}

}  // namespace
}  // namespace ym::api
