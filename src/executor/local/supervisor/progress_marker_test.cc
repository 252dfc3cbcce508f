#include "executor/local/supervisor/progress_marker.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "executor/local/attempt/boot_time.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/raw_report.h"
#include "executor/local/attempt/testing/folder.h"

namespace ym::local {
namespace {

class ProgressMarkerTest : public ::testing::Test {
 protected:
  ProgressMarkerTest() { marker_.open(folder_.fd.get()); }

  void rename_to_marker(const std::string& text) {
    std::ofstream(folder_.path / "user/beside") << text;
    std::filesystem::rename(folder_.path / "user/beside", folder_.path / "user/progress");
  }

  TestFolder folder_;
  ProgressMarker marker_;
};

TEST_F(ProgressMarkerTest, EachIsSeenOnce) {
  EXPECT_EQ(marker_.look(1000), std::nullopt);
  rename_to_marker("{\n\"step\": 1\n}\n");
  EXPECT_EQ(marker_.look(2000), "{ \"step\": 1 } ");
  EXPECT_EQ(marker_.look(9000), std::nullopt);
  EXPECT_EQ(marker_.last_look(), std::nullopt);
  rename_to_marker("{}");
  EXPECT_EQ(marker_.last_look(), "{}");
}

TEST_F(ProgressMarkerTest, OneInATightCircleIsLookedAtNowAndThen) {
  ASSERT_GE(marker_.fd(), 0);
  rename_to_marker("1");
  EXPECT_EQ(marker_.look(1000), "1");
  rename_to_marker("2");
  EXPECT_EQ(marker_.look(1001), std::nullopt);
  EXPECT_EQ(marker_.fd(), -1) << "more of them cause no wake-up";
  EXPECT_EQ(marker_.look_at(), 1100);
  rename_to_marker("3");
  EXPECT_EQ(marker_.look(1100), "3");
  EXPECT_EQ(marker_.look_at(), std::nullopt);
}

// inotify watches may run out; then it looks once a second.
TEST_F(ProgressMarkerTest, WithoutAWatchItIsLookedAtNowAndThen) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(folder_.fd.get());
  ::close(next);
  const rlimit one_more{.rlim_cur = static_cast<rlim_t>(next) + 1, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &one_more), 0);
  ProgressMarker marker;
  marker.open(folder_.fd.get());
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_GE(marker.folder(), 0);
  EXPECT_EQ(marker.fd(), -1);
  EXPECT_EQ(marker.look_at(), 0);
  rename_to_marker("1");
  EXPECT_EQ(marker.look(5000), "1");
  EXPECT_EQ(marker.look_at(), 6000);
  rename_to_marker("2");
  EXPECT_EQ(marker.look(5999), std::nullopt);
  EXPECT_EQ(marker.look(6000), "2");
}

TEST_F(ProgressMarkerTest, WhatIsNoFileIsNotRead) {
  ASSERT_EQ(::mkfifo((folder_.path / "user/progress").c_str(), 0600), 0);
  EXPECT_EQ(marker_.last_look(), std::nullopt) << "and nothing waits for a writer";
  std::filesystem::remove(folder_.path / "user/progress");
  std::filesystem::create_symlink("/etc/passwd", folder_.path / "user/progress");
  EXPECT_EQ(marker_.last_look(), std::nullopt);
  std::filesystem::remove(folder_.path / "user/progress");
  std::filesystem::create_directory(folder_.path / "user/progress");
  EXPECT_EQ(marker_.last_look(), std::nullopt);
}

TEST_F(ProgressMarkerTest, AFolderThatIsGoneIsNone) {
  std::filesystem::remove_all(folder_.path / "user");
  EXPECT_EQ(marker_.look(1000), std::nullopt);
  EXPECT_EQ(marker_.last_look(), std::nullopt);
}

TEST_F(ProgressMarkerTest, OneThatIsTooLongIsCutWhereThatShows) {
  rename_to_marker(std::string(100'000, 'x'));
  EXPECT_EQ(marker_.last_look()->size(), kMaxReport + 1);
}

}  // namespace
}  // namespace ym::local
