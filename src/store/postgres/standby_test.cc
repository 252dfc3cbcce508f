// Tests of standby servers, and of how soon one of them leads.
#include "store/postgres/standby.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>

#include "store/postgres/connection.h"
#include "store/postgres/testing/proxy.h"
#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

class StandingBy : public ::testing::Test {
 protected:
  StandingBy() { place_.lease = milliseconds(600); }

  // Waits on a thread of its own, until it leads or gets a stop request.
  std::future<Result<std::unique_ptr<Store>>> wait_with(Standby& standby) {
    return std::async(std::launch::async, [&] { return standby.wait_to_lead(stop_.get_token()); });
  }

  PostgresOptions place_ = shared_server().fresh_place();
  std::stop_source stop_;
};

TEST_F(StandingBy, LeadsAtOnceWhenTheLeadIsGivenUp) {
  testing::RandomHistory history(51);
  place_.url = "http://first:8470";
  place_.lease = std::chrono::minutes(1);
  auto first = must(open_postgres_store(place_));
  grow(*first, history, 50);
  place_.url = "http://second:8470";
  Standby standby({.place = place_, .poll = milliseconds(20)});
  auto waiting = wait_with(standby);
  while (!standby.seen().leader) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(standby.seen().leader->url, "http://first:8470");
  EXPECT_EQ(must(must(standby.reader())->events({}, 1000)), history.events()) << "it answers reads meanwhile";
  first.reset();
  const auto second = must(waiting.get());
  ASSERT_TRUE(second);
  expect_whole(*second, history);
  EXPECT_EQ(postgres_leader(place_)->url, "http://second:8470");
}

TEST_F(StandingBy, AReplacedLeaderIsToldThoughItCommitsNothing) {
  std::promise<Error> told;
  auto replaced = place_;
  replaced.on_replaced = [&](const Error& error) { told.set_value(error); };
  const auto first = must(open_postgres_store(replaced));
  const auto shell = must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
  Result<std::unique_ptr<Store>> second = fail(ErrorCode::conflict, "not yet");
  while (!second) {
    must(shell->execute("UPDATE leader SET renewed_at = '-infinity'"));
    second = open_postgres_store(place_);
  }
  EXPECT_EQ(told.get_future().get().code, ErrorCode::conflict);
}

// The leader has begun a new term itself, so the old term cannot be renewed any more.
TEST_F(StandingBy, ALeaderThatLostItsConnectionIsNotReplaced) {
  Proxy proxy(shared_server().folder());
  std::atomic<bool> told = false;
  auto place = place_;
  place.conninfo = "host=" + proxy.folder().string() + " " + place_.conninfo.substr(place_.conninfo.find("dbname="));
  place.on_replaced = [&](const Error&) { told = true; };
  const auto first = must(open_postgres_store(place));
  for (int i = 0; i < 5; ++i) {
    proxy.arm({.kind = Proxy::Fault::Kind::cut_request});
    must(first->commit({.tokens = {{std::to_string(i), "ann", "admin", {}}}}));
    std::this_thread::sleep_for(place.lease / 2);
  }
  EXPECT_FALSE(told);
  EXPECT_EQ(must(read_postgres_state(place_)).tokens.size(), 5U);
}

TEST_F(StandingBy, EndsWhenItIsTold) {
  const auto first = must(open_postgres_store(place_));
  Standby standby({.place = place_, .poll = std::chrono::minutes(1)});
  auto waiting = wait_with(standby);
  while (!standby.seen().leader) std::this_thread::sleep_for(milliseconds(5));
  stop_.request_stop();
  EXPECT_FALSE(must(waiting.get()));
}

TEST_F(StandingBy, OfSeveralOneLeads) {
  // Long enough for a renewal on a busy machine.
  place_.lease = std::chrono::seconds(5);
  must(open_postgres_store(place_));
  std::vector<std::unique_ptr<Standby>> standbys;
  std::vector<std::future<Result<std::unique_ptr<Store>>>> waiting;
  for (int i = 0; i < 3; ++i) {
    standbys.push_back(std::make_unique<Standby>(Standby::Options{.place = place_, .poll = milliseconds(10)}));
    waiting.push_back(wait_with(*standbys.back()));
  }
  while (postgres_leader(place_)->left.count() == 0) std::this_thread::sleep_for(milliseconds(5));
  std::this_thread::sleep_for(milliseconds(1200));  // the other servers go on trying
  stop_.request_stop();
  int leaders = 0;
  std::vector<Result<std::unique_ptr<Store>>> stores;
  for (auto& one : waiting) stores.push_back(one.get());
  for (const auto& store : stores) leaders += must(Result<bool>(store && *store)) ? 1 : 0;
  EXPECT_EQ(leaders, 1);
}

TEST_F(StandingBy, SaysWhatIsInTheWayAndWaitsForIt) {
  const auto first = must(open_postgres_store(place_));
  Proxy proxy(shared_server().folder());
  auto place = place_;
  place.conninfo = "host=" + proxy.folder().string() + " dbname=state user=plain";
  proxy.refuse(true);
  Standby standby({.place = place, .poll = milliseconds(20)});
  auto waiting = wait_with(standby);
  while (standby.seen().problem.empty()) std::this_thread::sleep_for(milliseconds(5));
  proxy.refuse(false);
  while (!standby.seen().leader) std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(standby.seen().problem, "");
  stop_.request_stop();
  EXPECT_FALSE(must(waiting.get()));
}

TEST_F(StandingBy, DoesNotWaitForWhatItCannotLead) {
  Standby standby({.place = place_, .poll = milliseconds(20)});
  must(open_postgres_store(place_));
  const auto shell = must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
  must(shell->execute("INSERT INTO schema_version VALUES(1000)"));
  const auto refused = standby.wait_to_lead(stop_.get_token());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("newer"));
}

// The database was away for longer than the lease. The leader is well, and gets the time to come back.
TEST(StandbyAndDatabase, AnOutageOfTheDatabaseDoesNotMoveTheLead) {
  TestServer server;
  auto place = server.fresh_place();
  place.lease = milliseconds(4000);
  place.wait_timeout = std::chrono::seconds(20);
  const auto first = must(open_postgres_store(place));
  must(first->commit({.tokens = {{"a", "ann", "admin", {}}}}));
  Standby standby({.place = place, .poll = milliseconds(20)});
  std::stop_source stop;
  auto waiting = std::async(std::launch::async, [&] { return standby.wait_to_lead(stop.get_token()); });
  while (!standby.seen().leader) std::this_thread::sleep_for(milliseconds(5));
  server.kill();
  std::this_thread::sleep_for(2 * place.lease);
  server.start();
  const auto done = first->commit({.tokens = {{"b", "ann", "admin", {}}}});
  EXPECT_TRUE(done) << done.error().message;
  EXPECT_EQ(waiting.wait_for(2 * place.lease), std::future_status::timeout);
  stop.request_stop();
  EXPECT_FALSE(must(waiting.get()));
}

TEST(SharedSecret, TheFirstOneIsForAllServers) {
  const auto place = shared_server().fresh_place();
  must(open_postgres_store(place));
  EXPECT_EQ(must(shared_secret(place, "key", Secret("one"))).reveal(), "one");
  EXPECT_EQ(must(shared_secret(place, "key", Secret("two"))).reveal(), "one");
  EXPECT_EQ(must(shared_secret(place, "other", Secret("two"))).reveal(), "two");
}

}  // namespace
}  // namespace ym::postgres
