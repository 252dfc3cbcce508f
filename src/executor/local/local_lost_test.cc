// How lost launches are found.
#include "executor/local/testing/descriptors.h"
#include "executor/local/testing/log.h"
#include "executor/local/testing/lost.h"

namespace ym::local {
namespace {

namespace fs = std::filesystem;

using testing::count;
using testing::describe;
using testing::Session;
using testing::wait_until;

class LocalLost : public LostTest {
 protected:
  void change_launch(const std::function<void(LaunchRecord&)>& change) const {
    const auto folder = open_folder(AT_FDCWD, host_.folder(token_));
    auto launch = read_launch(folder->get()).value();
    change(launch);
    ASSERT_TRUE(replace_file(folder->get(), kLaunchFile, encode(launch)));
  }
};

TEST_F(LocalLost, WhatRunsIsFoundWithItsPlace) {
  run();
  const auto found = lost();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().token, token_);
  EXPECT_EQ(found.front().placement, placement());
  EXPECT_TRUE(found.front().lives);
  EXPECT_EQ(found.front().where, attempt_path(token_.key()));
  let_go();
  wait_dead();
}

TEST_F(LocalLost, WhatHasEndedIsFoundEvenIfItWasReleased) {
  for (const bool is_marked : {false, true}) {
    if (is_marked) ASSERT_TRUE(replace_file(open_folder(AT_FDCWD, host_.folder(token_))->get(), kReleasedFile, "1"));
    else end_with("exit 3");
    wait_dead();
    const auto found = lost();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found.front().placement, placement());
    EXPECT_FALSE(found.front().lives);
  }
}

TEST_F(LocalLost, AGangIsOneAndLivesAsLongAsATaskOfItDoes) {
  run(2, "[ $YM_NODE_RANK = 0 ] && exit 0; while [ ! -e go ]; do sleep 0.02; done");
  wait_until("one has ended", [&] { return fs::exists(host_.folder(token_, 0) / kExitFile); });
  const auto found = lost();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().placement, placement(2));
  EXPECT_TRUE(found.front().lives);
  let_go();
  wait_dead();
  EXPECT_EQ(lost().size(), 1U);
}

TEST_F(LocalLost, OfAnOlderBuildThePlaceIsNotKnown) {
  run();
  change_launch([](LaunchRecord& launch) { launch.placement.clear(); });
  const auto found = lost();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().token, token_);
  EXPECT_TRUE(found.front().placement.empty());
  EXPECT_TRUE(found.front().lives);
  let_go();
  wait_dead();
}

TEST_F(LocalLost, WhatLivesWithoutItsFolderIsFound) {
  run();
  const auto supervisor = host_.claim(token_)->supervisor;
  fs::remove_all(host_.folder(token_));
  const auto found = lost();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().token, token_) << "its process says so";
  EXPECT_TRUE(found.front().placement.empty() && !found.front().by_record);
  EXPECT_TRUE(found.front().lives);
  EXPECT_TRUE(found.front().where.starts_with("process ")) << found.front().where;
  let_go();
  wait_until("gone", [&] { return !alive(supervisor) && lost().empty(); });
}

TEST_F(LocalLost, WhatHasNoLaunchRecordIsFoundIfItMayHaveRun) {
  run();
  fs::remove(host_.folder(token_) / kLaunchFile);
  auto found = lost();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().token, token_);
  EXPECT_TRUE(found.front().placement.empty() && found.front().lives && !found.front().by_record);
  let_go();
  wait_dead();
  found = lost();
  ASSERT_EQ(found.size(), 1U) << "its launch barrier was opened";
  fs::remove_all(host_.folder(token_));
  fs::create_directories(host_.folder(token_, 0));
  EXPECT_TRUE(lost().empty()) << "it was never handed over";
  const auto folder = open_folder(AT_FDCWD, host_.folder(token_));
  close_barrier(folder->get(), StopCause::cancel);
  EXPECT_TRUE(lost().empty()) << "it was stopped before";
}

TEST_F(LocalLost, OfAnotherServersNothingIs) {
  const auto foreign = host_.make_foreign(token_);
  EXPECT_TRUE(lost().empty());
  EXPECT_TRUE(foreign());
}

TEST_F(LocalLost, NothingIsInNormalLife) {
  EXPECT_TRUE(lost().empty()) << "there is no folder yet";
  known_.insert(token_);
  run();
  EXPECT_TRUE(lost().empty());
  Session session{host_, {token_}};
  session.wait_running(token_);
  EXPECT_EQ(unhealthy(session), "");
  let_go();
  EXPECT_EQ(session.wait_end(token_).exit_code, 4);
  session.executor().release(token_);
  wait_until("released", [&] { return is_released(); });
  EXPECT_TRUE(session.seen(kNoToken).empty()) << describe(session.seen(kNoToken));
}

// User code has cleared its environment, and its folder is damaged: then only its supervisor identifies the attempt.
TEST_F(LocalLost, WhereNothingSaysWhichLaunchOfALiveAttemptItIsItIsTheKnownOne) {
  known_.insert(token_);
  run(1, "exec env -i PATH=/usr/bin:/bin sh -c 'echo ran >> ledger; while [ ! -e go ]; do sleep 0.02; done'");
  const auto supervisor = host_.claim(token_)->supervisor;
  fs::remove(host_.folder(token_, 0) / kClaimFile);
  fs::remove(host_.folder(token_) / kLaunchFile);
  const LoggedLines logged;
  {
    const Session session{host_, {token_}};
  }
  EXPECT_EQ(logged.text().find("state does not know"), std::string::npos) << logged.text();
  let_go();
  wait_until("gone", [&] { return !alive(supervisor); });
}

TEST_F(LocalLost, WithoutTheListOfLostLaunchesItFindsNothing) {
  run();
  host_.is_lost = nullptr;
  EXPECT_TRUE(lost().empty());
  Session session{host_};
  EXPECT_EQ(unhealthy(session), "");
  EXPECT_TRUE(session.seen(kNoToken).empty());
}

TEST_F(LocalLost, WhatCannotBeSeenIsNoProofThatNothingIs) {
  run();
  const auto executor = host_.make();
  const auto found = [&] {
    const testing::NoDescriptors none;
    return executor->lost_launches();
  }();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::io);
}

TEST_F(LocalLost, AreToldInTheOrderOfTheirTokens) {
  Session session{host_};
  const std::vector<Token> tokens{{JobId{1}, 1, 7}, {JobId{1}, 2, 7}, {JobId{2}, 1, 9}, {JobId{300}, 1, 8}};
  for (const auto& token : tokens) session.launch(token, "true");
  for (const auto& token : tokens) session.wait_end(token);
  std::vector<Token> found;
  for (const auto& one : lost()) found.push_back(one.token);
  EXPECT_EQ(found, tokens);
}

}  // namespace
}  // namespace ym::local
