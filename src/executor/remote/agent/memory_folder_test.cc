#include "executor/remote/agent/memory_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/remote/agent/user_code.h"

namespace ym::remote {
namespace {

namespace fs = std::filesystem;

class MemoryFolder : public ::testing::Test {
 public:
  ~MemoryFolder() override {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

 protected:
  MemoryFolder() {
    std::string name = (fs::temp_directory_path() / "ym-memory-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    fs::create_directory(root_ / "memory");
    fs::create_directory(root_ / "disk");
    config_.temp_folder = root_ / "disk";
    config_.memory_folder = root_ / "memory";
    config_.token = {JobId{7}, 1, 3};
  }
  // As an agent creates it, up to the supervisor's lock.
  TaskFolder begun() {
    auto folder = make_task_folder(config_);
    EXPECT_TRUE(folder) << folder.error().message;
    const auto record = make_record({.argv = {"x"}}, {.config = config_, .folder = *folder});
    EXPECT_TRUE(local::replace_file(folder->attempt.get(), local::kLaunchFile, local::encode(record)));
    std::ofstream(folder->task_path() + "/" + local::kLockFile).close();
    return std::move(*folder);
  }
  static void make_old(const TaskFolder& folder) {
    for (const auto& path : {folder.task_path(), folder.path})
      fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  bool is_empty(const char* name) const { return fs::is_empty(root_ / name); }

  fs::path root_;
  TaskConfig config_;
};

TEST_F(MemoryFolder, TakesTheSmallFilesAndTheDiskTheLog) {
  const auto folder = begun();
  EXPECT_EQ(fs::path(folder.path).parent_path(), root_ / "memory");
  EXPECT_EQ(fs::path(folder.log).parent_path(), root_ / "disk");
  folder.remove();
  EXPECT_TRUE(is_empty("memory") && is_empty("disk"));
}

TEST_F(MemoryFolder, AKeptLogIsNotRemoved) {
  for (const char* name : {"disk/0.log", "disk/ym-task-seven.log"}) {
    config_.log = root_ / name;
    std::ofstream(config_.log) << "said";
    begun().remove();
    EXPECT_TRUE(is_empty("memory") && fs::exists(config_.log));
    make_old(begun());
    remove_abandoned(config_.memory_folder);
    EXPECT_TRUE(is_empty("memory") && fs::exists(config_.log));
  }
}

TEST_F(MemoryFolder, WithoutItAllIsOnTheDisk) {
  config_.memory_folder = root_ / "no such";
  const auto folder = begun();
  EXPECT_EQ(fs::path(folder.path).parent_path(), root_ / "disk");
  EXPECT_EQ(fs::path(folder.log).parent_path(), folder.task_path());
  folder.remove();
  EXPECT_TRUE(is_empty("disk"));
}

TEST_F(MemoryFolder, WhatAKilledAgentLeftIsRemoved) {
  const auto folder = begun();
  remove_abandoned(config_.memory_folder);
  EXPECT_FALSE(is_empty("memory")) << "its supervisor may be about to begin";
  make_old(folder);
  remove_abandoned(config_.memory_folder);
  EXPECT_TRUE(is_empty("memory") && is_empty("disk"));
}

TEST_F(MemoryFolder, ItStaysWhereAProcessLives) {
  const auto folder = begun();
  const Fd lock{::openat(folder.task.get(), local::kLockFile, O_RDWR | O_CLOEXEC)};
  ASSERT_EQ(::flock(lock.get(), LOCK_EX | LOCK_NB), 0);
  make_old(folder);
  remove_abandoned(config_.memory_folder);
  EXPECT_FALSE(is_empty("memory"));
  EXPECT_TRUE(fs::exists(folder.log));
}

TEST_F(MemoryFolder, WhatIsNotATasksStays) {
  fs::create_directory(root_ / "memory/other");
  fs::last_write_time(root_ / "memory/other", fs::file_time_type::clock::now() - std::chrono::hours(1));
  remove_abandoned(config_.memory_folder);
  EXPECT_FALSE(is_empty("memory"));
}

}  // namespace
}  // namespace ym::remote
