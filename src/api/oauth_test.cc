// Logins that a user allowed: the codes of devices and of programs on loopback.
#include <functional>
#include <thread>

#include "api/testing/fixture.h"
#include "base/base64url.h"
#include "control/access/token_text.h"
#include "login/desk.h"
#include "oidc/digest.h"

namespace ym::api {
namespace {

using ym::testing::ApiTest;
using ym::testing::eventually;
using ym::testing::fetch;
using ym::testing::HttpReply;
using ym::testing::parse_json;
using ym::testing::text_at;

const Error kNotStored{.code = ErrorCode::unavailable, .message = "away"};

class OAuthRoutes : public ApiTest {
 protected:
  void SetUp() override { start({.desk = desk_}); }

  HttpReply ask(const std::string& form) {
    return fetch(port(), {.method = "POST",
                          .target = "/oauth2/token",
                          .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                          .body = "client_id=ym&" + form});
  }
  // A grant by the session of ada.
  login::DeviceGrant grant() const { return {"ada", token_id(hash_token(Secret(kAdmin)))}; }

  std::string allowed_device() {
    return desk_->with_devices([&](login::DeviceCodes& codes) {
      const auto begun = codes.begin({.address = "a", .host = ""}, now()).value();
      EXPECT_TRUE(codes.decide(begun.user_code, grant(), now()));
      return begun.device_code;
    });
  }
  HttpReply poll(const std::string& code) {
    return ask("grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code=" + code);
  }

  std::string allowed_program() {
    return desk_->with_browsing([&](login::BrowsingCodes& codes) {
      return codes
          .put({.grant = grant(), .redirect_uri = "here", .challenge = to_base64url(oidc::sha256("verifier"))}, now())
          .value();
    });
  }
  HttpReply redeem(const std::string& code) {
    return ask("grant_type=authorization_code&redirect_uri=here&code_verifier=verifier&code=" + code);
  }

  // The reply to `ask`. Its command waits until `meanwhile` has returned.
  HttpReply held_up(const std::function<HttpReply()>& ask, const std::function<void()>& meanwhile) {
    backend.pause(true);
    HttpReply reply;
    std::thread asking([&] { reply = ask(); });
    EXPECT_TRUE(eventually([&] { return backend.commands_waiting() == 1; }));
    meanwhile();
    backend.pause(false);
    asking.join();
    return reply;
  }

  Instant now() const { return backend.reads().now(); }
  static std::string error_of(const HttpReply& reply) { return text_at(parse_json(reply.body), "/error"); }
  static std::string token_in(const HttpReply& reply) { return text_at(parse_json(reply.body), "/access_token"); }

  std::shared_ptr<login::Desk> desk_ = std::make_shared<login::Desk>();
};

TEST_F(OAuthRoutes, ADeviceGetsItsLoginAfterOneThatCouldNotBeStored) {
  const auto code = allowed_device();
  backend.fail_commands(kNotStored);
  EXPECT_EQ(poll(code).status, 503);
  backend.fail_commands(std::nullopt);
  const auto made = poll(code);
  ASSERT_EQ(made.status, 200) << made.body;
  EXPECT_NE(token_in(made), "");
  EXPECT_EQ(error_of(poll(code)), "expired_token");
}

TEST_F(OAuthRoutes, ADeviceThatIsRefusedDoesNotAskAgain) {
  const auto code = allowed_device();
  backend.fail_commands(Error{.code = ErrorCode::forbidden, .message = "no"});
  EXPECT_EQ(error_of(poll(code)), "invalid_grant");
  backend.fail_commands(std::nullopt);
  EXPECT_EQ(error_of(poll(code)), "expired_token");
}

TEST_F(OAuthRoutes, OfTwoPollsOneGetsTheLogin) {
  const auto code = allowed_device();
  const auto first = held_up([&] { return poll(code); },
                             [&] {
                               EXPECT_EQ(error_of(poll(code)), "authorization_pending");
                               EXPECT_EQ(backend.commands_waiting(), 1U);
                             });
  EXPECT_EQ(first.status, 200) << first.body;
}

// That its token ends is tried end to end: e2e.login.
TEST_F(OAuthRoutes, ACodeCountsOnce) {
  const auto code = allowed_program();
  EXPECT_NE(token_in(redeem(code)), "");
  EXPECT_EQ(error_of(redeem("unknown")), "invalid_grant");
  EXPECT_EQ(error_of(redeem(code)), "invalid_grant");
}

TEST_F(OAuthRoutes, ACodeThatComesAgainBeforeItsTokenIsMadeGivesNone) {
  const auto tokens = backend.reads().access().tokens({.principal = "ada"}).size();
  const auto code = allowed_program();
  const auto first = held_up([&] { return redeem(code); }, [&] { EXPECT_EQ(error_of(redeem(code)), "invalid_grant"); });
  EXPECT_EQ(error_of(first), "invalid_grant") << first.body;
  EXPECT_TRUE(eventually([&] { return backend.reads().access().tokens({.principal = "ada"}).size() == tokens; }));
}

}  // namespace
}  // namespace ym::api
