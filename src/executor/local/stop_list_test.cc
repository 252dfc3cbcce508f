#include "executor/local/stop_list.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/gate.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

constexpr Token kToken{JobId{5}, 1, 2};

class StopListTest : public ::testing::Test {
 protected:
  StopListTest() {
    auto pattern = (std::filesystem::temp_directory_path() / "ym-stops-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
    state_ = std::move(*open_folder(AT_FDCWD, path_));
  }
  ~StopListTest() override { std::filesystem::remove_all(path_); }

  Fd launched(const Token& token) {
    auto folder = std::move(*make_folders(state_.get(), attempt_path(token.key())));
    const LaunchRecord launch{.token = token, .argv = {"true"}, .task_env = {{}}};
    EXPECT_TRUE(write_durably(folder.get(), kLaunchFile, encode(launch)));
    return folder;
  }
  std::optional<Decision> decision() {
    const auto folder = open_folder(state_.get(), attempt_path(kToken.key()));
    return folder ? read_decision(folder->get()).value() : std::nullopt;
  }

  std::filesystem::path path_;
  Fd state_;
  StopList stops_;
};

TEST_F(StopListTest, ClosesTheGateOfWhatIsNotLaunchedYet) {
  EXPECT_FALSE(stops_.contains(kToken));
  stops_.close(state_.get(), kToken, StopCause::cancel);
  EXPECT_TRUE(stops_.contains(kToken));
  EXPECT_TRUE(stops_.contains(kToken.key()));
  EXPECT_FALSE(stops_.contains(AttemptKey{kToken.job, 2}));
  EXPECT_EQ(decision(), release_because(StopCause::cancel));
  EXPECT_TRUE(stops_.settle(state_.get(), attempt_path(kToken.key())));
  stops_.erase(kToken);
  EXPECT_FALSE(stops_.contains(kToken));
}

TEST_F(StopListTest, LeavesTheGateOfAnotherLaunchAlone) {
  launched({kToken.job, kToken.attempt, kToken.epoch + 1});
  stops_.close(state_.get(), kToken, StopCause::cancel);
  EXPECT_EQ(decision(), std::nullopt);
  EXPECT_TRUE(stops_.contains(kToken));
}

TEST_F(StopListTest, AfterGoItLeavesWordForWhoHasNotStarted) {
  const auto folder = launched(kToken);
  ASSERT_EQ(decide(folder.get(), kGo).value(), kGo);
  EXPECT_EQ(late_stop(folder.get()), std::nullopt);
  stops_.close(state_.get(), kToken, StopCause::preemption);
  EXPECT_EQ(decision(), kGo);
  EXPECT_EQ(late_stop(folder.get()), StopCause::preemption);
}

TEST_F(StopListTest, KnowsItThoughTheDiskTakesNothing) {
  std::ofstream(path_ / kAttemptsFolder).close();
  stops_.close(state_.get(), kToken, StopCause::cancel);
  EXPECT_TRUE(stops_.contains(kToken));
  // What was not made cannot be made durable; the folders that are there can.
  EXPECT_FALSE(stops_.settle(state_.get(), attempt_path(kToken.key())));
  EXPECT_FALSE(stops_.settle(state_.get(), attempt_path(kToken.key()))) << "it was forgotten";
}

}  // namespace
}  // namespace ym::local
