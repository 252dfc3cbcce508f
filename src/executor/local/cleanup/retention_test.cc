#include "executor/local/cleanup/retention.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <optional>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/process.h"
#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

class RetentionTest : public ::testing::Test {
 protected:
  RetentionTest() { sweeper_.emplace(state_); }

  static void launched(const std::filesystem::path& folder, const std::string& boot) {
    const LaunchRecord launch{.token = {JobId{1}, 1, 7}, .boot = boot, .argv = {"true"}, .task_env = {{}}};
    std::ofstream(folder / kLaunchFile) << encode(launch);
  }
  std::filesystem::path attempt(std::uint64_t job, std::int32_t number, std::size_t log_bytes) {
    const auto folder = state_ / attempt_path({JobId{job}, number});
    std::filesystem::create_directories(folder / "0");
    std::ofstream(folder / "0" / "log") << std::string(log_bytes, 'x');
    return folder;
  }
  void release(std::uint64_t job, std::int32_t number, std::int64_t at) {
    ASSERT_TRUE(mark_released(state_, {JobId{job}, number}, {at}));
  }

  std::size_t sweep(const RetentionRules& rules, Instant now) { return sweeper_->sweep(rules, now); }

  TestFolder folder_;
  const std::filesystem::path& state_ = folder_.path;
  std::optional<Sweeper> sweeper_;
};

TEST_F(RetentionTest, RemovesWhatIsOld) {
  const auto old = attempt(1, 1, 10);
  const auto young = attempt(1, 2, 10);
  release(1, 1, 1000);
  release(1, 2, 5000);
  EXPECT_EQ(sweep({.age = {5000}}, {7000}), 1U);
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(std::filesystem::exists(young));
  EXPECT_EQ(sweep({.age = {5000}}, {20000}), 1U);
  EXPECT_FALSE(std::filesystem::exists(young.parent_path())) << "the job's folder goes with its last attempt";
}

TEST_F(RetentionTest, WhatIsNoLongerMarkedStays) {
  const auto folder = attempt(1, 1, 10);
  release(1, 1, 1000);
  unmark_released(state_, {JobId{1}, 1});
  unmark_released(state_, {JobId{2}, 1});
  EXPECT_EQ(sweep({.age = {}, .bytes = 0}, {7000}), 0U);
  release(1, 1, 2000);
  EXPECT_EQ(sweep({.age = {}, .bytes = 0}, {7000}), 1U);
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST_F(RetentionTest, RemovesTheOldestWhenThereIsTooMuch) {
  std::vector<std::filesystem::path> folders;
  for (std::uint64_t job = 1; job <= 4; ++job) {
    folders.push_back(attempt(job, 1, 1 << 20));
    release(job, 1, static_cast<std::int64_t>(job) * 1000);
  }
  EXPECT_EQ(sweep({.bytes = 5 << 19}, {5000}), 2U);
  EXPECT_FALSE(std::filesystem::exists(folders[0]));
  EXPECT_FALSE(std::filesystem::exists(folders[1]));
  EXPECT_TRUE(std::filesystem::exists(folders[2]));
  EXPECT_TRUE(std::filesystem::exists(folders[3]));
}

// If the tree were measured again, it would be too large.
TEST_F(RetentionTest, ATreeIsMeasuredOnce) {
  const auto folder = attempt(1, 1, 1 << 20);
  release(1, 1, 1000);
  const RetentionRules rules{.bytes = 5 << 19};
  EXPECT_EQ(sweep(rules, {5000}), 0U);
  attempt(1, 1, 5 << 20);
  EXPECT_EQ(sweep(rules, {5000}), 0U);
  EXPECT_TRUE(std::filesystem::exists(folder));
  sweeper_.emplace(state_);
  EXPECT_EQ(sweep(rules, {5000}), 1U) << "the next server measures it again";
}

// As after a restored backup: the folder is gone, and its number is used again.
TEST_F(RetentionTest, WhatIsKnownOfAnAttemptGoesWithItsMark) {
  attempt(1, 1, 10);
  release(1, 1, 1000);
  EXPECT_EQ(sweep({.age = {5000}}, {2000}), 0U);
  std::filesystem::remove_all(state_ / kAttemptsFolder);
  const auto again = attempt(1, 1, 10);
  EXPECT_EQ(sweep({.age = {1}}, {9000}), 0U);
  EXPECT_TRUE(std::filesystem::exists(again));
}

TEST_F(RetentionTest, NeverTouchesWhatIsNotReleased) {
  const auto live = attempt(1, 1, 10);
  EXPECT_EQ(sweep({.age = {1}, .bytes = 0}, {hours(100000).ms}), 0U);
  EXPECT_TRUE(std::filesystem::exists(live / "0" / "log"));
}

TEST_F(RetentionTest, WhatHasNoMarkIsListed) {
  attempt(1, 1, 10);
  attempt(1, 2, 10);
  attempt(9, 1, 10);
  release(1, 2, 1000);
  std::filesystem::create_directories(state_ / kAttemptsFolder / "3f" / "not a job" / "1");
  EXPECT_THAT(unmarked_attempts(state_),
              ::testing::UnorderedElementsAre(AttemptKey{JobId{1}, 1}, AttemptKey{JobId{9}, 1}));
}

TEST_F(RetentionTest, OverIsWhatWasReleasedAtTheBarrierOrHasAllItsEnds) {
  const AttemptKey key{JobId{1}, 1};
  EXPECT_FALSE(is_over(state_, key)) << "no folder";
  const auto folder = attempt(1, 1, 10);
  std::filesystem::create_directories(folder / "1");
  launched(folder, boot_id());
  EXPECT_FALSE(is_over(state_, key));
  std::ofstream(folder / "0" / kExitFile).close();
  EXPECT_FALSE(is_over(state_, key)) << "the other task may run";
  std::ofstream(folder / "1" / kExitFile).close();
  EXPECT_TRUE(is_over(state_, key));
  const auto other = attempt(2, 1, 10);
  launched(other, "");
  std::filesystem::create_symlink("1:go", other / kDecisionFile);
  EXPECT_FALSE(is_over(state_, {JobId{2}, 1}));
  std::filesystem::remove(other / kDecisionFile);
  std::filesystem::create_symlink("1:release:cancel", other / kDecisionFile);
  EXPECT_TRUE(is_over(state_, {JobId{2}, 1}));
}

TEST_F(RetentionTest, WhatWasLaunchedBeforeTheMachineWasRestartedIsOver) {
  launched(attempt(1, 1, 10), "before");
  EXPECT_TRUE(is_over(state_, {JobId{1}, 1}));
}

TEST_F(RetentionTest, WithoutALaunchRecordItIsOverUnlessASupervisorLives) {
  const auto folder = attempt(1, 1, 10);
  for (const char* damaged : {"", "yardmaster launch 3\n"}) {
    std::ofstream(folder / kLaunchFile) << damaged;
    const auto task = open_folder(AT_FDCWD, (folder / "0").string());
    auto lock = try_lock_task(task->get());
    ASSERT_TRUE(lock.value());
    EXPECT_FALSE(is_over(state_, {JobId{1}, 1}));
    lock->reset();
    EXPECT_TRUE(is_over(state_, {JobId{1}, 1}));
  }
}

TEST_F(RetentionTest, TheFirstReleaseCounts) {
  attempt(1, 1, 10);
  release(1, 1, 1000);
  release(1, 1, 9000);
  EXPECT_EQ(sweep({.age = {5000}}, {7000}), 1U);
  release(2, 1, 1000);  // no folder: nothing to do
}

}  // namespace
}  // namespace ym::local
