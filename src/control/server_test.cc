// The server's threads: what is asked from any thread comes true on its own.
#include "control/server.h"

#include <condition_variable>
#include <future>

#include "control/boot_clock.h"
#include "control/testing/controller_fixture.h"

namespace ym {
namespace {

using testing::FlakyStore;
using testing::one_node;
using testing::RecordingExecutor;
using testing::spec_of;

class Server : public ::testing::Test {
 protected:
  void SetUp() override { start(); }

  void start() {
    server_.reset();
    auto started = ControlServer::start(store_, {{"lab", &executor_}}, clock_,
                                        {.controller = {.run_as = "tester", .version = "test"}}, one_node());
    ASSERT_TRUE(started);
    server_ = std::move(*started);
  }

  Result<CommandReply> execute(Command command) {
    std::promise<Result<CommandReply>> answered;
    server_->execute({"alice", "admin"}, std::move(command),
                     [&](Result<CommandReply> reply) { answered.set_value(std::move(reply)); });
    return answered.get_future().get();
  }
  JobId submit(const std::string& name, int gpus = 1) {
    return execute(SubmitJobs{.specs = {spec_of(name, gpus)}})->jobs.at(0).id;
  }

  // Waits for a condition; the deadline only ends a test that has failed.
  template <class Condition>
  [[nodiscard]] static bool eventually(Condition condition) {
    for (int i = 0; i < 6000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  bool becomes(JobId id, JobState state) {
    return eventually([&] { return server_->job(id)->job.state == state; });
  }

  BootClock clock_;
  RecordingExecutor executor_;
  FlakyStore store_{make_memory_store()};
  std::unique_ptr<ControlServer> server_;
};

TEST_F(Server, AJobIsDecidedLaunchedAndSeenToItsEnd) {
  const JobId id = submit("train");
  ASSERT_TRUE(becomes(id, JobState::starting));
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 1; }));
  const Token token = executor_.launched().at(0).token;
  executor_.report({token, TaskIsRunning{0}});
  executor_.report({token, testing::exits(0)});
  ASSERT_TRUE(becomes(id, JobState::succeeded));
  EXPECT_EQ(server_->job(id)->attempts.size(), 1U);
  EXPECT_EQ(server_->live_jobs(), 0U);
}

TEST_F(Server, APlanLostToAFailedCommitIsDecidedAgain) {
  const JobId blocker = submit("blocker", 4);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  store_.fail_next(3);
  ASSERT_TRUE(eventually([&] { return execute(SubmitJobs{.specs = {spec_of("next")}}).has_value(); }));
  executor_.report({executor_.launched().at(0).token, testing::exits(0)});
  EXPECT_TRUE(eventually([&] { return executor_.launched().size() == 2; }));
}

TEST_F(Server, WhyTellsTheReasonAndWhoIsAhead) {
  const JobId blocker = submit("blocker", 4);
  ASSERT_TRUE(becomes(blocker, JobState::starting));
  const JobId first = submit("first", 4);
  const JobId second = submit("second", 4);
  ASSERT_TRUE(eventually([&] {
    const auto why = server_->why(second);
    return why && why->dominant.code == ReasonCode::waiting_for_capacity && why->ahead_total == 1;
  }));
  EXPECT_EQ(server_->why(second)->ahead.at(0).id, first);
  EXPECT_EQ(server_->why(blocker).error().code, ErrorCode::conflict);
  EXPECT_EQ(server_->why(JobId{999}).error().code, ErrorCode::not_found);
}

TEST_F(Server, NamesAreTheCallersNewestUnfinishedJob) {
  const JobId first = submit("same", 4);
  ASSERT_TRUE(eventually([&] { return executor_.launched().size() == 1; }));
  const JobId second = submit("same", 4);
  const Caller alice{"alice", "admin"};
  EXPECT_EQ(server_->resolve(alice, "same"), second);
  ASSERT_TRUE(execute(CancelJob{second}));
  EXPECT_EQ(server_->resolve(alice, "same"), first);
  EXPECT_EQ(server_->resolve(alice, to_string(second)), second) << "one that has ended is found by its id";
  ASSERT_TRUE(execute(CancelJob{first}));
  executor_.report({executor_.launched().at(0).token, testing::exits(0)});
  ASSERT_TRUE(becomes(first, JobState::cancelled));
  EXPECT_EQ(server_->resolve(alice, "same"), second) << "nothing unfinished has the name: the newest that ended";
  EXPECT_EQ(server_->resolve({"bob", "admin"}, "same").error().code, ErrorCode::not_found);
}

TEST_F(Server, PagesHoldLiveAndEndedJobsNewestFirst) {
  std::vector<JobId> ids;
  for (int i = 0; i < 6; ++i) ids.push_back(submit("job", 4));
  ASSERT_TRUE(execute(CancelJob{ids[2]}));
  ASSERT_TRUE(execute(CancelJob{ids[4]}));
  std::vector<JobId> seen;
  JobFilter filter;
  for (int pages = 0; pages < 10; ++pages) {
    const auto page = server_->jobs(filter, 2);
    ASSERT_TRUE(page);
    for (const auto& view : page->items) seen.push_back(view.job.id);
    if (!page->next) break;
    filter.before = page->next;
  }
  EXPECT_EQ(seen, std::vector<JobId>(ids.rbegin(), ids.rend()));
}

TEST_F(Server, ListenersHearEveryEventOnceInOrder) {
  std::mutex mutex;
  std::vector<std::uint64_t> heard;
  const auto from = server_->last_seq();
  const auto handle = server_->listen([&](const std::vector<Event>& events) {
    const std::lock_guard lock(mutex);
    for (const auto& event : events) heard.push_back(event.seq);
  });
  for (int i = 0; i < 20; ++i) submit("job", 4);
  const auto size = [&] {
    const std::lock_guard lock(mutex);
    return heard.size();
  };
  ASSERT_TRUE(eventually([&] { return size() >= 40; }));
  const std::lock_guard lock(mutex);
  for (std::size_t i = 0; i < heard.size(); ++i) EXPECT_EQ(heard[i], from + 1 + i);
}

TEST_F(Server, TokensAreKnownByHashOnly) {
  const auto token = server_->add_token("alice", "admin");
  ASSERT_TRUE(token);
  EXPECT_EQ(server_->authenticate(*token)->principal, "alice");
  EXPECT_EQ(server_->authenticate(Secret("ym_wrong")).error().code, ErrorCode::unauthenticated);
  start();
  EXPECT_EQ(server_->authenticate(*token)->principal, "alice") << "also after a restart";
  for (const auto& record : store_.load()->tokens) EXPECT_EQ(record.hash.find(token->reveal()), std::string::npos);
}

TEST_F(Server, ManyClientsAtOnce) {
  constexpr int kClients = 8;
  constexpr int kEach = 50;
  std::vector<std::thread> clients;
  std::atomic<int> accepted = 0;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&] {
      for (int i = 0; i < kEach; ++i)
        if (execute(SubmitJobs{.specs = {spec_of("job", 4)}})) ++accepted;
    });
  }
  for (auto& client : clients) client.join();
  EXPECT_EQ(accepted, kClients * kEach);
  EXPECT_EQ(server_->live_jobs(), static_cast<std::size_t>(kClients * kEach));
}

}  // namespace
}  // namespace ym
