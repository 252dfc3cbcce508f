// Tests with a connection that fails in the middle of a commit, and with a server that dies.
#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "base/random.h"
#include "store/postgres/connection.h"
#include "store/postgres/testing/proxy.h"
#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

using Kind = Proxy::Fault::Kind;
using std::chrono::milliseconds;

TokenRecord token(int n) { return {"hash" + std::to_string(n), "ann", "admin", {n}}; }

class CommitFaults : public ::testing::Test {
 protected:
  // Opens through the proxy. Only commits use it meanwhile.
  std::unique_ptr<Store> open(milliseconds wait_timeout = milliseconds(20'000)) {
    auto options = place_;
    options.conninfo = "host=" + proxy_.folder().string() + " dbname=state user=plain";
    options.lease = std::chrono::minutes(5);
    options.answer_timeout = milliseconds(1000);
    options.wait_timeout = wait_timeout;
    options.outcome_timeout = wait_timeout;
    return must(open_postgres_store(options));
  }
  std::int64_t stored_commits() {
    const auto shell = must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
    return must(shell->run("SELECT commits FROM meta"))[0].integer(0);
  }

  PostgresOptions place_ = shared_server().fresh_place();
  Proxy proxy_{shared_server().folder()};
};

struct Case {
  const char* name;
  Proxy::Fault fault;
};

class EachCommitFault : public CommitFaults, public ::testing::WithParamInterface<Case> {};

TEST_P(EachCommitFault, IsStoredOnce) {
  const auto store = open();
  for (int n = 0; n < 8; n += 2) {
    must(store->commit({.tokens = {token(n)}}));
    proxy_.arm(GetParam().fault);
    const auto done = store->commit({.tokens = {token(n + 1)}});
    ASSERT_FALSE(proxy_.is_armed()) << "the fault was not met";
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_EQ(stored_commits(), n + 2) << "stored, and not twice";
  }
  EXPECT_EQ(must(store->load()).tokens.size(), 8U);
}

INSTANTIATE_TEST_SUITE_P(Postgres, EachCommitFault,
                         ::testing::Values(Case{"RequestLost", {Kind::cut_request, 0}},
                                           Case{"RequestCut", {Kind::cut_request, 100}},
                                           Case{"RequestHeld", {Kind::hold_request, 100}},
                                           Case{"AnswerLost", {Kind::cut_answer}},
                                           Case{"AnswerHeld", {Kind::hold_answer}}),
                         [](const auto& info) { return info.param.name; });

TEST_F(CommitFaults, AnyOfThemAtAnyByte) {
  testing::RandomHistory history(31);
  Random random(31);
  const auto store = open();
  grow(*store, history, 100);
  for (int round = 0; round < 16; ++round) {
    const auto kind = static_cast<Kind>(random.below(4));
    proxy_.arm({kind, random.below(8000)});
    const auto done = store->commit(next_commit(history, 1 + random.below(20)));
    ASSERT_TRUE(done) << "round " << round << ": " << done.error().message;
  }
  expect_whole(*store, history);
}

TEST_F(CommitFaults, ADoubtThatStaysEndsTheProcess) {
  const auto store = open(milliseconds(300));
  must(store->commit({.tokens = {token(1)}}));
  proxy_.arm({Kind::cut_answer});
  proxy_.refuse(true);
  EXPECT_DEATH((void)store->commit({.tokens = {token(2)}}), "unknown whether the commit is stored");
}

TEST_F(CommitFaults, WithoutADoubtItIsOnlyUnavailable) {
  const auto store = open(milliseconds(300));
  must(store->commit({.tokens = {token(1)}}));
  proxy_.refuse(true);
  proxy_.arm({Kind::cut_request});
  ASSERT_FALSE(store->load());
  const auto refused = store->commit({.tokens = {token(2)}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_TRUE(refused.error().retryable);
  proxy_.refuse(false);
  ASSERT_TRUE(store->commit({.tokens = {token(2)}}));
  EXPECT_EQ(stored_commits(), 2);
}

TEST_F(CommitFaults, ReadersComeBack) {
  testing::RandomHistory history(32);
  auto options = place_;
  options.conninfo = "host=" + proxy_.folder().string() + " dbname=state user=plain";
  const auto store = open();
  grow(*store, history, 50);
  const auto reader = must(store->reader());
  for (const auto kind : {Kind::cut_request, Kind::cut_answer}) {
    proxy_.arm({kind});
    EXPECT_EQ(must(reader->events({}, 1000)), history.events());
    proxy_.arm({kind});
    EXPECT_FALSE(must(reader->jobs({}, 1000)).empty());
  }
}

// The commit was not sent. So the store need not ask the database for the outcome.
TEST(ServerFaults, ACommitAfterTheDatabaseWentIsInNoDoubt) {
  TestServer server;
  auto place = server.fresh_place();
  place.wait_timeout = milliseconds(300);
  const auto store = must(open_postgres_store(place));
  must(store->commit({.tokens = {{"a", "ann", "admin", {}}}}));
  server.kill();
  const auto refused = store->commit({.tokens = {{"b", "ann", "admin", {}}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  server.start();
  must(store->commit({.tokens = {{"c", "ann", "admin", {}}}}));
  EXPECT_EQ(must(read_postgres_state(place)).tokens.size(), 2U);
}

TEST(ServerFaults, KilledAndStartedAgainUnderCommits) {
  TestServer server;
  testing::RandomHistory history(33);
  const auto store = must(open_postgres_store(server.fresh_place()));
  std::atomic<bool> over = false;
  std::thread writer([&] {
    while (!over) grow(*store, history, 20);
  });
  for (int i = 0; i < 4; ++i) {
    std::this_thread::sleep_for(milliseconds(100 + 30 * i));
    server.kill();
    server.start();
  }
  over = true;
  writer.join();
  grow(*store, history, 20);
  expect_whole(*store, history);
}

}  // namespace
}  // namespace ym::postgres
