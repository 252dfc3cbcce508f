#include "executor/local/stop_list.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process.h"
#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

constexpr Token kListToken{JobId{5}, 1, 2};

class StopListTest : public ::testing::Test {
 protected:
  StopListTest() {
    boot_epochs_folder_ = std::move(*make_folder(state_.fd.get(), "boots"));
    EXPECT_TRUE(boot_epochs_.open(boot_epochs_folder_.get()));
  }

  Fd launched(const Token& token, const std::string& boot = boot_id()) {
    auto folder = std::move(*make_folders(state_.fd.get(), attempt_path(token.key())));
    const LaunchRecord launch{.token = token, .boot = boot, .argv = {"true"}, .task_env = {{}}};
    EXPECT_TRUE(write_durably(folder.get(), kLaunchFile, encode(launch)));
    return folder;
  }
  std::optional<Decision> decision() {
    const auto folder = open_folder(state_.fd.get(), attempt_path(kListToken.key()));
    return folder ? read_decision(folder->get()).value() : std::nullopt;
  }

  TestFolder state_;
  Fd boot_epochs_folder_;
  BootEpochs boot_epochs_{boot_id()};
  StopList stops_{boot_epochs_};
};

TEST_F(StopListTest, ClosesTheBarrierOfWhatIsNotLaunchedYet) {
  EXPECT_FALSE(stops_.contains(kListToken));
  stops_.close(state_.fd.get(), kListToken, StopCause::cancel);
  EXPECT_TRUE(stops_.contains(kListToken));
  EXPECT_TRUE(stops_.contains(kListToken.key()));
  EXPECT_FALSE(stops_.contains(AttemptKey{kListToken.job, 2}));
  EXPECT_EQ(decision(), release_because(StopCause::cancel));
  stops_.erase(kListToken);
  EXPECT_FALSE(stops_.contains(kListToken));
}

TEST_F(StopListTest, LeavesTheBarrierOfAnotherLaunchAlone) {
  launched({kListToken.job, kListToken.attempt, kListToken.epoch + 1});
  stops_.close(state_.fd.get(), kListToken, StopCause::cancel);
  EXPECT_EQ(decision(), std::nullopt);
  EXPECT_TRUE(stops_.contains(kListToken));
}

TEST_F(StopListTest, AfterGoItLeavesAStopForTasksThatHaveNotStarted) {
  const auto folder = launched(kListToken);
  ASSERT_EQ(decide(folder.get(), kGo).value(), kGo);
  EXPECT_EQ(late_stop(folder.get()), std::nullopt);
  stops_.close(state_.fd.get(), kListToken, StopCause::preemption);
  EXPECT_EQ(decision(), kGo);
  EXPECT_EQ(late_stop(folder.get()), StopCause::preemption);
}

TEST_F(StopListTest, KnowsItThoughTheDiskTakesNothing) {
  std::ofstream(state_.path / kAttemptsFolder).close();
  stops_.close(state_.fd.get(), kListToken, StopCause::cancel);
  EXPECT_TRUE(stops_.contains(kListToken));
}

// Its folder may be lost. A later look must not find a barrier that was never opened.
TEST_F(StopListTest, LeavesNoBarrierInAnEarlierBoot) {
  BootEpochs before{"before"};
  ASSERT_TRUE(before.open(boot_epochs_folder_.get()));
  ASSERT_TRUE(before.mark(kListToken.epoch));
  stops_.close(state_.fd.get(), kListToken, StopCause::cancel);
  EXPECT_TRUE(stops_.contains(kListToken));
  EXPECT_EQ(decision(), std::nullopt);
  launched(kListToken, "before");
  stops_.close(state_.fd.get(), kListToken, StopCause::cancel);
  EXPECT_EQ(decision(), std::nullopt);
}

TEST_F(StopListTest, ClosesTheBarrierOfAnOlderBuildsLaunch) {
  launched(kListToken, "");
  stops_.close(state_.fd.get(), kListToken, StopCause::cancel);
  EXPECT_EQ(decision(), release_because(StopCause::cancel));
}

}  // namespace
}  // namespace ym::local
