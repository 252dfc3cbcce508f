#include "api/guard.h"

#include "api/cursor.h"
#include "api/rate_limit.h"

namespace ym::api {
namespace {

Request with(std::vector<HeaderField> headers) {
  Request request;
  request.headers = std::move(headers);
  return request;
}

TEST(Guard, OnLoopbackOnlyItsOwnNamesAreKnown) {
  const Guard guard(HttpOptions{});
  for (const auto* host : {"localhost", "LOCALHOST:8470", "127.0.0.1:1", "[::1]:8470", "[::1]"}) {
    EXPECT_TRUE(guard.knows_host(host)) << host;
  }
  for (const auto* host :
       {"evil.example", "evil.example:8470", "localhost.evil.example", "", ":8470", "127.0.0.1.evil"}) {
    EXPECT_FALSE(guard.knows_host(host)) << host;
  }
}

TEST(Guard, OnANetworkNamesAreRestrictedOnRequest) {
  EXPECT_TRUE(Guard(HttpOptions{.address = "0.0.0.0"}).knows_host("gpu-box"));
  const Guard strict(HttpOptions{.address = "10.0.0.5", .allowed_hosts = {"Gpu-Box", "[fd00::1]:80"}});
  EXPECT_TRUE(strict.knows_host("gpu-box:8470"));
  EXPECT_TRUE(strict.knows_host("[fd00::1]"));
  EXPECT_TRUE(strict.knows_host("10.0.0.5:8470"));
  EXPECT_FALSE(strict.knows_host("other"));
}

TEST(Guard, AnOriginThatIsNotUsIsForeign) {
  EXPECT_FALSE(Guard::is_cross_origin(with({{"Host", "localhost:8470"}})));
  EXPECT_FALSE(Guard::is_cross_origin(with({{"Host", "localhost:8470"}, {"Origin", "http://localhost:8470"}})));
  for (const auto* origin : {"http://evil.example", "null", "", "http://localhost:9999", "file://localhost:8470"}) {
    EXPECT_TRUE(Guard::is_cross_origin(with({{"Host", "localhost:8470"}, {"Origin", origin}}))) << origin;
  }
}

TEST(BearerToken, ComesOnlyAsBearer) {
  EXPECT_EQ(bearer_token(with({{"Authorization", "bearer  abc.DEF-1_~+/="}}))->reveal(), "abc.DEF-1_~+/=");
  for (const auto* value : {"", "Bearer", "Bearer ", "Basic abc", "abc", "Bearer a b", "Bearer a\"b"}) {
    const auto token = bearer_token(with({{"Authorization", value}}));
    ASSERT_FALSE(token) << value;
    EXPECT_EQ(token.error().code, ErrorCode::unauthenticated);
  }
}

TEST(Cursor, IsGoodOnlyForTheListItCameFrom) {
  const auto cursor = make_cursor("00000011", "jobs owner=ada");
  EXPECT_EQ(read_cursor(cursor, "jobs owner=ada"), "00000011");
  EXPECT_FALSE(read_cursor(cursor, "jobs owner=bob"));
  for (const std::string& forged : {std::string("1000000000"), std::string(), std::string("zz"), cursor.substr(2),
                                    cursor + "00", cursor + "0", std::string(5000, '0')}) {
    EXPECT_FALSE(read_cursor(forged, "jobs owner=ada")) << forged;
  }
  auto changed = cursor;
  changed.back() = changed.back() == '1' ? '2' : '1';
  EXPECT_FALSE(read_cursor(changed, "jobs owner=ada"));
}

TEST(RateLimit, EachPrincipalHasItsOwnBucket) {
  RateLimit limit(10, 2);
  const RateLimit::Time start{};
  EXPECT_TRUE(limit.admit("a", start));
  EXPECT_TRUE(limit.admit("a", start));
  EXPECT_FALSE(limit.admit("a", start));
  EXPECT_TRUE(limit.admit("b", start));
  EXPECT_FALSE(limit.admit("a", start + std::chrono::milliseconds(50)));
  EXPECT_TRUE(limit.admit("a", start + std::chrono::milliseconds(150)));
}

TEST(RateLimit, ForgetsCallersThatHaveLongBeenQuiet) {
  RateLimit limit(10, 10);
  RateLimit::Time now{};
  for (int i = 0; i < 100'000; ++i) {
    EXPECT_TRUE(limit.admit(std::to_string(i), now));
    now += std::chrono::milliseconds(1);
  }
  EXPECT_LT(limit.remembered(), 2000u);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(limit.admit("busy", now));
  for (int i = 0; i < 5000; ++i) EXPECT_TRUE(limit.admit("other " + std::to_string(i), now));
  EXPECT_FALSE(limit.admit("busy", now)) << "a client with an empty bucket is remembered";
}

TEST(RateLimit, ZeroMeansUnlimited) {
  RateLimit limit(0, 1);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limit.admit("a", {}));
}

}  // namespace
}  // namespace ym::api
