// Tokens of a server that runs: a right that is taken away while a request waits is gone.
#include "control/access/token_text.h"
#include "control/testing/server_fixture.h"

namespace ym {
namespace {

using testing::spec_of;

class ServerTokens : public testing::ControlServerTest {
 protected:
  Caller caller_of(const TokenReply& made) { return server_->reads().authenticate(*made.secret).value(); }
  // Nothing: it was accepted.
  std::optional<ErrorCode> submit_as(const Caller& caller) {
    std::promise<Result<CommandReply>> answered;
    server_->execute(caller, SubmitJobs{.specs = {spec_of("train")}},
                     [&](Result<CommandReply> reply) { answered.set_value(std::move(reply)); });
    const auto reply = answered.get_future().get();
    return reply ? std::nullopt : std::optional(reply.error().code);
  }
};

TEST_F(ServerTokens, ARevokedTokenChangesNothingMore) {
  const auto token = make_token_of("alice");
  const Caller alice = caller_of(token);
  EXPECT_EQ(submit_as(alice), std::nullopt);
  ASSERT_TRUE(server_->execute_now(RevokeToken{token.token.name}));
  EXPECT_EQ(submit_as(alice), ErrorCode::unauthenticated);
  EXPECT_EQ(server_->reads().authenticate(*token.secret).error().code, ErrorCode::unauthenticated);
}

TEST_F(ServerTokens, AQueueThatLeavesTakesItsBindingsAlong) {
  make_token_of("alice");
  ASSERT_TRUE(execute(ApplyQueues{.queues = {{.name = "team"}}}));
  ASSERT_TRUE(execute(BindRole{.role = "viewer", .to = "alice", .scope = {ScopeKind::queue, "team"}}));
  EXPECT_EQ(server_->reads().access().bindings(self_).size(), 1U);
  ASSERT_TRUE(execute(RemoveQueue{"team"}));
  EXPECT_TRUE(eventually([&] { return server_->reads().access().bindings(self_).empty(); }));
}

TEST_F(ServerTokens, OfAnEarlierVersionAreImportedOnce) {
  server_.reset();
  const Secret old("ym_old");
  const TokenRecord record{hash_token(old), "bob", "viewer", {}};
  const auto added = store_.commit({.tokens = {record}});
  ASSERT_TRUE(added);
  start();
  const auto caller = server_->reads().authenticate(old);
  ASSERT_TRUE(caller);
  EXPECT_EQ(caller->principal, "bob");
  ASSERT_TRUE(server_->execute_now(RevokeToken{token_id(record.hash)}));
  start();
  EXPECT_FALSE(server_->reads().authenticate(old)) << "it does not come back";
}

}  // namespace
}  // namespace ym
