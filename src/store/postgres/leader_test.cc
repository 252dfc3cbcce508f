// Tests with two servers on one database.
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "store/postgres/connection.h"
#include "store/postgres/testing/proxy.h"
#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using Kind = Proxy::Fault::Kind;

TokenRecord leader_token(int n) { return {"hash" + std::to_string(n), "ann", "admin", {n}}; }

void expect_replaced(const Result<void>& done) {
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::conflict);
}

class Leading : public ::testing::Test {
 protected:
  Leading() { place_.lease = milliseconds(2000); }

  // A leader that does not renew its lease, as if its process were stopped: the proxy refuses the lease's connection,
  // and any other until the test allows it.
  std::unique_ptr<Store> open_first() {
    auto options = place_;
    options.conninfo = "host=" + proxy_.folder().string() + " dbname=state user=plain";
    options.lease = milliseconds(4000);
    auto store = must(open_postgres_store(options));
    proxy_.refuse(true);
    return store;
  }
  // Opens as a standby does.
  std::unique_ptr<Store> open_when_lapsed() {
    for (int i = 0; i < 1200; ++i) {
      if (postgres_leader(place_)->left.count() == 0) return must(open_postgres_store(place_));
      std::this_thread::sleep_for(milliseconds(50));
    }
    throw std::runtime_error("the lease does not lapse");
  }

  PostgresOptions place_ = shared_server().fresh_place();
  Proxy proxy_{shared_server().folder()};
};

TEST_F(Leading, IsKeptByRenewalAndGivenUpAtTheEnd) {
  place_.name = "first";
  place_.lease = milliseconds(3000);
  auto first = must(open_postgres_store(place_));
  std::this_thread::sleep_for(2 * place_.lease);
  const auto refused = open_postgres_store(place_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("first (run "));
  first.reset();
  EXPECT_EQ(postgres_leader(place_)->left.count(), 0);
  place_.name = "second";
  const auto second = must(open_postgres_store(place_));
  EXPECT_THAT(postgres_leader(place_)->holder, HasSubstr("second"));
  EXPECT_EQ(postgres_leader(place_)->term, 2);
}

TEST_F(Leading, OthersReadMeanwhile) {
  testing::RandomHistory history(41);
  const auto store = must(open_postgres_store(place_));
  grow(*store, history, 50);
  const auto reader = must(open_postgres_history(place_));
  EXPECT_EQ(must(reader->events({}, 1000)), history.events());
  grow(*store, history, 50);
  EXPECT_EQ(must(reader->events({}, 1000)), history.events());
}

TEST_F(Leading, NothingOfAnEndedTermIsStored) {
  testing::RandomHistory history(42);
  const auto first = open_first();
  grow(*first, history, 50);
  auto lost = history;
  const auto second = open_when_lapsed();
  proxy_.refuse(false);
  for (const auto& commit : {next_commit(lost, 5), Commit{.tokens = {leader_token(1)}}}) {
    const auto refused = first->commit(commit);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  }
  EXPECT_FALSE(first->expire_idempotency({1000}));
  EXPECT_FALSE(first->load()) << "it never takes the lead back";
  grow(*second, history, 50);
  expect_whole(*second, history);
}

// The connection stays. The transaction itself checks the term.
TEST_F(Leading, AnEndedTermIsNoticedInTheTransaction) {
  const auto store = must(open_postgres_store(place_));
  must(store->commit({.tokens = {leader_token(1)}}));
  const auto shell = must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
  must(shell->execute("UPDATE leader SET term = term + 1"));
  expect_replaced(store->commit({.tokens = {leader_token(2)}}));
  expect_replaced(store->expire_idempotency({1000}));
  EXPECT_EQ(must(store->load()).tokens, std::vector{leader_token(1)});
}

// A commit by another writer in the same term is noticed, too.
TEST_F(Leading, AnotherWriterIsNoticedInTheTransaction) {
  const auto store = must(open_postgres_store(place_));
  const auto shell = must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
  must(shell->execute("UPDATE meta SET commits = commits + 1"));
  expect_replaced(store->commit({.tokens = {leader_token(1)}}));
  EXPECT_TRUE(must(store->load()).tokens.empty());
}

// The first server's transaction is open and its process is silent. The server that takes over must not wait for it.
TEST_F(Leading, StoppedInTheMiddleOfACommit) {
  const auto first = open_first();
  must(first->commit({.tokens = {leader_token(1)}}));
  proxy_.arm({Kind::hold_request, 150});
  auto late = std::async(std::launch::async, [&] { return first->commit({.tokens = {leader_token(2)}}); });
  while (proxy_.is_armed()) std::this_thread::sleep_for(milliseconds(5));
  const auto begun = std::chrono::steady_clock::now();
  const auto second = open_when_lapsed();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, milliseconds(20'000));
  must(second->commit({.tokens = {leader_token(3)}}));
  proxy_.refuse(false);
  expect_replaced(late.get());
  EXPECT_EQ(must(second->load()).tokens, (std::vector{leader_token(1), leader_token(3)}));
}

// The answer was lost, and another server leads when the first one reconnects. The commit is stored all the same.
TEST_F(Leading, ACommitBeforeTheTakeoverIsStored) {
  const auto first = open_first();
  must(first->commit({.tokens = {leader_token(1)}}));
  proxy_.arm({Kind::cut_answer});
  auto late = std::async(std::launch::async, [&] { return first->commit({.tokens = {leader_token(2)}}); });
  while (proxy_.is_armed()) std::this_thread::sleep_for(milliseconds(5));
  std::this_thread::sleep_for(milliseconds(100));
  const auto second = open_when_lapsed();
  must(second->commit({.tokens = {leader_token(3)}}));
  proxy_.refuse(false);
  EXPECT_TRUE(late.get());
  EXPECT_EQ(must(second->load()).tokens, (std::vector{leader_token(1), leader_token(2), leader_token(3)}));
  expect_replaced(first->commit({.tokens = {leader_token(4)}}));
}

constexpr int kReplaced = 7;

// A server that commits until another server leads. It writes the number of each acknowledged commit to `out`.
[[noreturn]] void serve(const PostgresOptions& place, int out) {
  const auto store = open_postgres_store(place);
  if (!store) ::_exit(1);
  for (int n = 1;; ++n) {
    if (const auto done = (*store)->commit({.tokens = {leader_token(n)}}); !done)
      ::_exit(done.error().code == ErrorCode::conflict ? kReplaced : 2);
    if (::write(out, &n, sizeof(n)) != sizeof(n)) ::_exit(3);
  }
}

TEST_F(Leading, AServerStoppedPastItsLeaseAndResumedIsFenced) {
  for (int round = 0; round < 5; ++round) {
    place_ = shared_server().fresh_place();
    place_.lease = milliseconds(1500);
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) serve(place_, ends[1]);
    ::close(ends[1]);
    int acknowledged = 0;
    for (int n = 0; n < 50 + round; ++n)
      ASSERT_EQ(::read(ends[0], &acknowledged, sizeof(acknowledged)), ssize_t{sizeof(acknowledged)});
    ::kill(child, SIGSTOP);
    const auto second = open_when_lapsed();
    const auto taken_over = must(second->load()).tokens.size();
    ::kill(child, SIGCONT);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), kReplaced);
    while (::read(ends[0], &acknowledged, sizeof(acknowledged)) == sizeof(acknowledged)) continue;
    ::close(ends[0]);
    EXPECT_EQ(must(second->load()).tokens.size(), taken_over) << "nothing was written after the takeover";
    EXPECT_LE(static_cast<std::size_t>(acknowledged), taken_over) << "what was acknowledged is there";
    must(second->commit({.tokens = {token(1'000'000)}}));
  }
}

}  // namespace
}  // namespace ym::postgres
