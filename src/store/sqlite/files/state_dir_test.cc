#include "store/sqlite/files/state_dir.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "store/sqlite/database.h"
#include "store/sqlite/files/descriptor.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class StateDirs : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Store>> open(bool initialise = false) {
    auto options = dir_.options();
    options.initialise = initialise;
    return open_sqlite_store(dir_.state(), options);
  }
  void run_once() {
    const auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE((*store)->commit({.tokens = {{"aa", "ann", "admin", {}}}}));
  }
  void expect_lost(const char* because) {
    const auto refused = open();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
    EXPECT_THAT(refused.error().message, HasSubstr(dir_.state().string()));
    EXPECT_THAT(refused.error().message, HasSubstr(because));
    EXPECT_THAT(refused.error().message, HasSubstr("`ym serve --state " + dir_.state().string() + " --init`"));
  }
  void expect_empty(const Result<std::unique_ptr<Store>>& store) {
    ASSERT_TRUE(store) << store.error().message;
    const auto state = (*store)->load();
    ASSERT_TRUE(state);
    EXPECT_TRUE(state->tokens.empty());
  }

  TempDir dir_;
};

TEST_F(StateDirs, MissingFolderIsAFirstStart) {
  expect_empty(open());
  EXPECT_TRUE(fs::exists(dir_.state() / "yardmaster.state"));
}

TEST_F(StateDirs, MissingParentsAreMade) {
  EXPECT_TRUE(open_sqlite_store(dir_.path() / "a" / "b" / "c", dir_.options()));
}

TEST_F(StateDirs, EmptyFolderIsAFirstStart) {
  fs::create_directories(dir_.state());
  expect_empty(open());
}

TEST_F(StateDirs, ForeignFilesAreNoTrace) {
  write_file(dir_.state() / "ym.yaml", "queues: []\n");
  expect_empty(open());
}

TEST_F(StateDirs, SecondStartFindsTheState) {
  run_once();
  const auto store = open();
  ASSERT_TRUE(store);
  EXPECT_EQ((*store)->load()->tokens.size(), 1U);
}

TEST_F(StateDirs, MissingFolderThatWasInitialisedIsRefused) {
  run_once();
  fs::remove_all(dir_.state());
  expect_lost("receipts");
  EXPECT_FALSE(fs::exists(dir_.state())) << "a refused start must leave nothing behind";
  expect_empty(open(true));
  expect_empty(open());
}

TEST_F(StateDirs, EmptyFolderThatWasInitialisedIsRefused) {
  run_once();
  fs::remove_all(dir_.state());
  fs::create_directories(dir_.state());
  expect_lost("yardmaster.db");
}

TEST_F(StateDirs, AnyWayToTheFolderIsTheSameFolder) {
  run_once();
  fs::remove_all(dir_.state());
  fs::create_directory_symlink(dir_.path(), dir_.path() / "link");
  EXPECT_FALSE(open_sqlite_store(dir_.path() / "link" / "." / "state", dir_.options()));
}

TEST_F(StateDirs, MissingDatabaseIsRefusedByEachTrace) {
  for (const auto* trace : {"yardmaster.state", "attempts/00/x", "admin.token", "yardmaster.db-wal", "acknowledged"}) {
    fs::remove_all(dir_.state());
    write_file(dir_.state() / trace, "x");
    expect_lost("yardmaster.db");
    EXPECT_FALSE(fs::exists(dir_.database()));
  }
}

TEST_F(StateDirs, EmptyDatabaseFileIsALostOne) {
  run_once();
  fs::resize_file(dir_.database(), 0);
  expect_lost("yardmaster.db");
}

TEST_F(StateDirs, InitialisingSetsTheOldStateAside) {
  run_once();
  fs::remove(dir_.database());
  write_file(dir_.state() / "attempts/00/00000001/1/0/log", "of the old job 1");
  expect_empty(open(true));
  EXPECT_FALSE(fs::exists(dir_.state() / "attempts"));
  EXPECT_EQ(read_file(dir_.state() / "attempts.before-init-1/00/00000001/1/0/log"), "of the old job 1");
}

TEST_F(StateDirs, InitialisingIsRefusedWhileTasksOfTheOldStateRun) {
  run_once();
  fs::remove(dir_.database());
  const auto lock = dir_.state() / "attempts/3f/0000000002/1/0/lock";
  write_file(lock, "");
  write_file(dir_.state() / "attempts/3f/0000000003/1/0/lock", "");  // of a task that has ended
  {
    const Descriptor held(::open(lock.c_str(), O_RDWR));
    ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
    const auto refused = open(true);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr("(pid " + std::to_string(::getpid()) + ")"));
    EXPECT_TRUE(fs::exists(lock)) << "nothing was changed";
  }
  expect_empty(open(true));
}

TEST_F(StateDirs, InitialisingLeavesAnExistingStateAlone) {
  run_once();
  const auto store = open(true);
  ASSERT_TRUE(store);
  EXPECT_EQ((*store)->load()->tokens.size(), 1U);
}

TEST_F(StateDirs, InitialisingDoesNotReplaceADamagedDatabase) {
  run_once();
  write_file(dir_.database(), "not a database, but somebody's last hope");
  const auto refused = open(true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
  EXPECT_EQ(read_file(dir_.database()), "not a database, but somebody's last hope");
}

// If a first start is killed at any point, the next start is a first start or finds it finished.
TEST_F(StateDirs, InterruptedFirstStartBeginsAgain) {
  write_file(dir_.state() / "lock", "");
  write_file(dir_.state() / "yardmaster.db.new", "half a database");
  write_file(dir_.state() / "yardmaster.db.new-wal", "half a log");
  expect_empty(open());
  EXPECT_FALSE(fs::exists(dir_.state() / "yardmaster.db.new"));
}

TEST_F(StateDirs, NoReceiptsIsAllowed) {
  ASSERT_TRUE(open_sqlite_store(dir_.state(), {}));
  fs::remove_all(dir_.state());
  EXPECT_TRUE(open_sqlite_store(dir_.state(), {})) << "without a receipt nothing tells that there was a state";
}

TEST_F(StateDirs, UnwritableReceiptsAreNoError) {
  write_file(dir_.path() / "receipts", "a file where the folder should be");
  EXPECT_TRUE(open());
}

TEST_F(StateDirs, FileInPlaceOfTheFolder) {
  write_file(dir_.state(), "a file");
  const auto refused = open();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io);
  EXPECT_THAT(refused.error().message, HasSubstr(dir_.state().string()));
}

TEST_F(StateDirs, SecondServerIsRefusedWithTheFirstOnesProcess) {
  const auto first = open();
  ASSERT_TRUE(first);
  const auto second = open();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::conflict);
  EXPECT_THAT(second.error().message, HasSubstr(fmt::format("process {}", ::getpid())));
}

TEST_F(StateDirs, LockEndsWithItsStore) {
  {
    ASSERT_TRUE(open());
  }
  EXPECT_TRUE(open());
}

// The kernel holds the lock, not the file: it ends with the server's process.
TEST_F(StateDirs, LockOfADeadProcessIsFree) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto store = open();
    ::_exit(store ? 7 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(open());
}

TEST(DefaultReceipts, FollowTheEnvironment) {
  const auto with = [](const char* state, const char* home) {
    state ? ::setenv("XDG_STATE_HOME", state, 1) : ::unsetenv("XDG_STATE_HOME");
    home ? ::setenv("HOME", home, 1) : ::unsetenv("HOME");
    return default_receipts_dir();
  };
  EXPECT_EQ(with("/x/state", "/home/ann"), "/x/state/yardmaster-initialised");
  EXPECT_EQ(with(nullptr, "/home/ann"), "/home/ann/.local/state/yardmaster-initialised");
  EXPECT_EQ(with("relative", "/home/ann"), "/home/ann/.local/state/yardmaster-initialised");
  EXPECT_EQ(with(nullptr, nullptr), "");
}

}  // namespace
}  // namespace ym::sqlite
