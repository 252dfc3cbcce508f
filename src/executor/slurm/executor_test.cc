// The executor with a Slurm that gives scripted answers at scripted times.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

#include "executor/slurm/executor_impl.h"
#include "executor/slurm/jobs/script.h"

namespace ym::slurm {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr Token kToken{JobId{1}, 1, 7};

// The real time plus what tests add.
class AheadClock final : public Clock {
 public:
  Instant now() const override {
    const auto real = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<milliseconds>(real).count() + ahead_};
  }
  void forward(Duration time) { ahead_ += time.ms; }

 private:
  std::atomic<std::int64_t> ahead_ = 0;
};

bool eventually(const std::function<bool()>& holds) {
  for (int n = 0; n < 1'500; ++n) {
    if (holds()) return true;
    std::this_thread::sleep_for(milliseconds{20});
  }
  return false;
}

// Its answers; all under the mutex.
struct Played {
  std::mutex mutex;
  std::condition_variable changed;
  bool facts_wait = false, facts_fail = false, facts_answered = false;
  std::string node_state = "IDLE";
  int lists = 0;
  std::vector<Submission> submitted;
};

class PlayedClient final : public SlurmClient {
 public:
  explicit PlayedClient(std::shared_ptr<Played> played) : played_(std::move(played)) {}

  std::expected<std::int64_t, SubmitError> submit(const Submission& submission) override {
    const std::lock_guard lock{played_->mutex};
    played_->submitted.push_back(submission);
    return 12;
  }
  Result<std::vector<JobRow>> jobs() override {
    const std::lock_guard lock{played_->mutex};
    ++played_->lists;
    return std::vector<JobRow>{};
  }
  Result<std::vector<JobRow>> history(std::span<const std::string>, Instant) override {
    return fail(ErrorCode::unavailable, "no accounts");
  }
  Result<std::vector<NodeRow>> nodes() override {
    const std::lock_guard lock{played_->mutex};
    return std::vector<NodeRow>{{.name = "n1", .cpus = 4, .partitions = {"train"}, .states = {played_->node_state}}};
  }
  Result<Facts> facts() override {
    std::unique_lock lock{played_->mutex};
    played_->changed.wait_for(lock, std::chrono::seconds{60}, [this] { return !played_->facts_wait; });
    played_->facts_answered = true;
    if (played_->facts_fail) return fail(ErrorCode::unavailable, "busy");
    return Facts{.version = "22.05.8", .partitions = {{"train", {.is_default = true, .most_minutes = 30}}}};
  }
  Result<void> cancel(std::span<const std::int64_t>, bool) override { return {}; }

 private:
  const std::shared_ptr<Played> played_;
};

class BesidePlayed : public ::testing::Test {
 protected:
  BesidePlayed() {
    std::string name = (fs::temp_directory_path() / "ym-slurm-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~BesidePlayed() override {
    let_facts_go();
    executor_.reset();
    ::umask(before_);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void start(const std::vector<LiveAttempt>& live = {}) {
    SlurmOptions options{.cluster = "lab",
                         .wrapper = "/w",
                         .log_dir = folder_,
                         .server_url = "http://s",
                         .poll = {20},
                         .node_poll = {20},
                         .status_rpcs_a_minute = 60'000};
    executor_ = std::make_unique<SlurmExecutor>(options, std::make_unique<PlayedClient>(played_), clock_);
    ASSERT_TRUE(executor_->start(
        [this](Observation seen) {
          const std::lock_guard lock{mutex_};
          seen_.push_back(std::move(seen));
        },
        live));
  }
  static LaunchRequest request() {
    JobSpec spec{.run = {Program::Form::argv, {"true"}}};
    return {.token = kToken,
            .spec = std::make_shared<const JobSpec>(std::move(spec)),
            .placement = {{.task = 0, .node = "n1"}},
            .nodes = {{.name = "n1", .cluster = "lab"}},
            .contact = JobContact{.token = Secret{"for long"}}};
  }
  void set(const std::function<void(Played&)>& change) {
    const std::lock_guard lock{played_->mutex};
    change(*played_);
    played_->changed.notify_all();
  }
  void let_facts_go() {
    set([](Played& p) { p.facts_wait = false; });
  }
  template <class T>
  T get(T Played::* member) const {
    const std::lock_guard lock{played_->mutex};
    return (*played_).*member;
  }
  bool lists_go_on() const {
    const int before = get(&Played::lists);
    return eventually([&] { return get(&Played::lists) > before + 2; });
  }
  bool is_submitted() const {
    return eventually([&] { return !get(&Played::submitted).empty(); });
  }
  template <class What>
  std::size_t count() const {
    const std::lock_guard lock{mutex_};
    return static_cast<std::size_t>(
        std::ranges::count_if(seen_, [](const Observation& seen) { return std::holds_alternative<What>(seen.what); }));
  }
  template <class What>
  bool await() const {
    return eventually([&] { return count<What>() > 0; });
  }

  const mode_t before_ = ::umask(0);
  AheadClock clock_;
  const std::shared_ptr<Played> played_ = std::make_shared<Played>();
  fs::path folder_;
  mutable std::mutex mutex_;
  std::vector<Observation> seen_;  // under mutex_
  std::unique_ptr<SlurmExecutor> executor_;
};

TEST_F(BesidePlayed, AStartDoesNotWaitForSlurm) {
  set([](Played& p) { p.facts_wait = true; });
  start();
  EXPECT_FALSE(get(&Played::facts_answered));
  executor_->launch(request());
  let_facts_go();
  EXPECT_TRUE(is_submitted());
}

// A job without its own limit has the partition's, which must be known for that.
TEST_F(BesidePlayed, SubmissionsWaitUntilTheConfigurationIsKnown) {
  set([](Played& p) { p.facts_fail = true; });
  start();
  executor_->launch(request());
  ASSERT_TRUE(lists_go_on());
  EXPECT_TRUE(get(&Played::submitted).empty());
  set([](Played& p) { p.facts_fail = false; });
  clock_.forward(seconds(11));
  ASSERT_TRUE(is_submitted());
  EXPECT_EQ(get(&Played::submitted).front().minutes, 30);
}

TEST_F(BesidePlayed, LogFoldersAreTheirOwnersAlone) {
  start();
  executor_->launch(request());
  ASSERT_TRUE(is_submitted());
  const fs::path logs = log_folder(folder_, kToken.key());
  EXPECT_EQ(static_cast<unsigned>(fs::status(logs).permissions()), 0700U);
  EXPECT_EQ(static_cast<unsigned>(fs::status(logs.parent_path()).permissions()), 0700U);
}

// It may begin late: user code's token of an hour would have expired by then.
TEST_F(BesidePlayed, WhatIsSubmittedAgainShowsTheTokenOfItsLaunch) {
  start();
  executor_->launch(request());
  ASSERT_TRUE(is_submitted());
  executor_->deliver(kToken, Secret{"for an hour"});
  clock_.forward(seconds(7));
  ASSERT_TRUE(eventually([&] { return get(&Played::submitted).size() == 2; })) << "it is on no list";
  EXPECT_NE(get(&Played::submitted).back().script.find("'for long'"), std::string::npos);
}

// Even if it cannot be planned any more.
TEST_F(BesidePlayed, WhatWasLetInByAServerBeforeIsLostOnlyWhenItsNodeShowsIt) {
  LiveAttempt live{.request = request(), .tasks = {TaskStatus{}}};
  auto spec = *live.request.spec;
  spec.resources.gpus = kMilli / 2;
  live.request.spec = std::make_shared<const JobSpec>(std::move(spec));
  ASSERT_FALSE(plan_parts(live.request, SlurmPlacement::ours));
  live.tasks.front().claim = TaskClaim{.nonce = "a", .address = "10.0.0.1", .node = "n1"};
  set([](Played& p) { p.node_state = "DOWN"; });
  start({live});
  ASSERT_TRUE(lists_go_on());
  for (int i = 0; i < 3; ++i) {
    clock_.forward(minutes(1));
    ASSERT_TRUE(lists_go_on());
  }
  EXPECT_TRUE(await<ContactIsLost>());
  EXPECT_EQ(count<TokenIsUnknown>() + count<TaskHasEnded>(), 0U);
  set([](Played& p) { p.node_state = "IDLE"; });
  ASSERT_TRUE(lists_go_on());
  clock_.forward(minutes(1));
  ASSERT_TRUE(lists_go_on());
  clock_.forward(seconds(10));
  EXPECT_TRUE(await<TaskHasEnded>());
  EXPECT_EQ(count<TokenIsUnknown>(), 0U);
}

}  // namespace
}  // namespace ym::slurm
