// Lost launches that are stored attempts now.
#include "executor/local/testing/lost.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;

using testing::count;
using testing::describe;
using testing::Session;
using testing::wait_until;

class LocalAdopted : public LostTest {
 protected:
  Machine machine_{host_};
};

TEST_F(LocalAdopted, WhatRunsIsFollowedToItsEnd) {
  run(2);
  ASSERT_EQ(lost().size(), 1U);
  adopt();
  Session session{host_, {token_}};
  session.wait_running(token_, 2);
  EXPECT_EQ(unhealthy(session), "") << "it is an attempt like any";
  let_go();
  for (const auto& exit : session.wait_ended(token_, 2)) EXPECT_EQ(exit.exit_code, 4);
  EXPECT_EQ(ledger().size(), 2U);
}

TEST_F(LocalAdopted, WhatRunsIsSaidToRunSinceItBegan) {
  const auto before = WallClock{}.now();
  run(2);
  const auto after = WallClock{}.now();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  adopt();
  Session session{host_, {token_}};
  session.wait_running(token_, 2);
  for (const auto& observation : session.seen(token_)) {
    const auto* running = std::get_if<TaskIsRunning>(&observation.what);
    if (!running) continue;
    ASSERT_TRUE(running->since);
    EXPECT_GE(*running->since, before);
    EXPECT_LE(*running->since, after);
  }
  let_go();
}

TEST_F(LocalAdopted, WhatHasEndedIsSaidToHaveRunSinceItBegan) {
  end_with("echo ran >> ledger; exit 3");
  const auto after = WallClock{}.now();
  adopt();
  Session session{host_, {token_}};
  session.wait_end(token_);
  const auto seen = session.seen(token_);
  const auto running =
      std::ranges::find_if(seen, [](const auto& one) { return std::holds_alternative<TaskIsRunning>(one.what); });
  ASSERT_NE(running, seen.end());
  ASSERT_TRUE(std::get<TaskIsRunning>(running->what).since);
  EXPECT_LE(*std::get<TaskIsRunning>(running->what).since, after);
}

// As control does: one executor is asked for them, and starts afterwards.
TEST_F(LocalAdopted, AnAdoptedTaskThatWasAskedBeginsAsAnyOther) {
  run();
  std::mutex mutex;
  Session::Seen seen;
  const auto executor = host_.make();
  ASSERT_EQ(executor->lost_launches().value().size(), 1U);
  adopt();
  const std::vector<LiveAttempt> live{host_.stored.at(token_)};
  ASSERT_TRUE(executor->start(
      [&](Observation observation) {
        const std::lock_guard lock{mutex};
        seen.push_back(std::move(observation));
      },
      live));
  let_go();
  wait_until("ended", [&] {
    const std::lock_guard lock{mutex};
    return count<TaskHasEnded>(seen) == 1;
  });
  EXPECT_EQ(count<TokenIsUnknown>(seen), 0U) << describe(seen);
}

TEST_F(LocalAdopted, WhatRunsCanBeStopped) {
  run();
  adopt();
  Session session{host_, {token_}};
  session.executor().stop(token_, {.cause = StopCause::cancel, .grace = seconds(30)});
  EXPECT_EQ(session.wait_end(token_).signal, SIGTERM);
}

TEST_F(LocalAdopted, AnEndThatWasReleasedIsToldOnceMore) {
  for (const int code : {0, 3}) {
    end_with("echo ran >> ledger; exit " + std::to_string(code));
    {
      Session session{host_};
      session.executor().release(token_);
      wait_until("released", [&] { return is_released(); });
    }
    adopt();
    // Marked attempts could be removed at once.
    host_.options.retention = {.age = {}, .bytes = 0, .every = Duration{20}};
    {
      Session session{host_, {token_}};
      EXPECT_EQ(session.wait_end(token_).exit_code, code);
      EXPECT_FALSE(is_released());
      session.executor().release(token_);
      wait_until("removed", [&] { return !fs::exists(host_.folder(token_)); });
    }
    host_.options.retention = {};
    known_.clear();
  }
  EXPECT_EQ(ledger().size(), 2U);
}

TEST_F(LocalAdopted, AnEndOfAnEarlierBootIsTold) {
  end_with("echo ran >> ledger; exit 3");
  machine_.restart();
  const auto found = lost();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found.front().lives);
  EXPECT_EQ(found.front().placement, placement());
  adopt();
  Session session{host_, {token_}};
  EXPECT_EQ(session.wait_end(token_).exit_code, 3);
  EXPECT_EQ(ledger().size(), 1U);
}

TEST_F(LocalAdopted, WhatRanInAnEarlierBootIsLost) {
  run();
  machine_.restart();
  adopt();
  Session session{host_, {token_}};
  EXPECT_EQ(session.wait_end(token_).by, EndedBy::lost);
  EXPECT_EQ(ledger().size(), 1U);
}

TEST_F(LocalAdopted, WithoutATraceItIsUnknownAndNeverLaunched) {
  end_with("echo ran >> ledger");
  wait_dead();
  fs::remove_all(host_.folder(token_));
  adopt();
  Session session{host_, {token_}};
  session.wait_unknown(token_);
  EXPECT_TRUE(std::get<TokenIsUnknown>(session.seen(token_).back().what).nothing_lives);
  session.launch(token_, "echo again >> ledger");
  session.wait(token_, "said again", [](const auto& seen) { return count<TokenIsUnknown>(seen) == 2; });
  EXPECT_EQ(ledger().size(), 1U);
}

// Its supervisors may have started in another copy of the folder, and wait at the barrier there.
TEST_F(LocalAdopted, ATaskThatWasNotLetInNeverStarts) {
  const LaunchRecord launch{.token = token_,
                            .argv = {"/bin/sh", "-c", "echo ran >> ledger"},
                            .task_env = {{}},
                            .workdir = host_.scratch(),
                            .start_timeout = seconds(60),
                            .placement = placement()};
  fs::create_directories(host_.folder(token_, 0));
  ASSERT_TRUE(replace_file(open_folder(AT_FDCWD, host_.folder(token_))->get(), kLaunchFile, encode(launch)));
  ASSERT_EQ(lost().size(), 1U);
  adopt();
  Session session{host_, {token_}};
  EXPECT_EQ(session.wait_end(token_).by, EndedBy::start_failed);
  EXPECT_TRUE(ledger().empty());
}

}  // namespace
}  // namespace ym::local
