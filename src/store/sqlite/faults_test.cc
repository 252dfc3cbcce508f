// Disks that are full or broken: no commit is stored in part, and none is acknowledged that is not stored.
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "store/sqlite/testing/fault_vfs.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Faults : public ::testing::Test {
 protected:
  std::unique_ptr<Store> open(int checkpoint_pages = 2000) {
    auto options = dir_.options();
    options.vfs = vfs_.name();
    options.checkpoint_pages = checkpoint_pages;
    return must(open_sqlite_store(dir_.state(), options));
  }
  Commit next_commit(std::size_t events) {
    before_ = history_.tables();
    auto batch = history_.next(events);
    return make_commit(history_.tables(), batch.touched, std::move(batch.events));
  }
  void expect_refused(const Result<void>& done) {
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::unavailable) << done.error().message;
    EXPECT_TRUE(done.error().retryable);
    EXPECT_THAT(done.error().message, HasSubstr("yardmaster.db"));
  }
  void expect_state(Store& store, const Tables& tables) {
    EXPECT_EQ(must(store.load()).tables, testing::unfinished(tables));
  }

  // Commits in a process of its own, where a flush fails. Writes the number of flushes to `tell`.
  [[noreturn]] void die_in_a_flush(const Commit& commit, int tell) {
    static int told = -1;
    static FaultVfs* faults = nullptr;
    told = tell;
    faults = &vfs_;
    std::signal(SIGABRT, [](int) {
      const int syncs = faults->syncs().seen;
      (void)!::write(told, &syncs, sizeof syncs);
      std::signal(SIGABRT, SIG_DFL);
      ::raise(SIGABRT);
    });
    const auto store = open();
    vfs_.fail_syncs(0, SQLITE_IOERR_FSYNC);
    (void)store->commit(commit);
    ::_exit(7);
  }

  FaultVfs vfs_;
  TempDir dir_;
  testing::RandomHistory history_{31};
  Tables before_;
};

// Each write of a commit (and of the checkpoint after it) fails once, in each way in which a disk can fail.
TEST_F(Faults, FailedWriteChangesNothingAndTheNextTryWorks) {
  for (const int code : {SQLITE_FULL, SQLITE_IOERR_WRITE}) {
    auto store = open(1);
    grow(*store, history_, 30);
    int refused = 0;
    for (int nth = 0;; ++nth) {
      const auto commit = next_commit(120);  // more than one write takes
      vfs_.fail_writes(nth, code);
      const auto done = store->commit(commit);
      const bool fired = vfs_.fired();
      vfs_.heal();
      SCOPED_TRACE(fmt::format("write {} with code {}", nth, code));
      if (!done) {
        ++refused;
        expect_refused(done);
        expect_state(*store, before_);
        ASSERT_TRUE(store->commit(commit));
      }
      expect_state(*store, history_.tables());
      if (!fired) break;
      if (nth % 5 == 0) {
        store.reset();
        store = open(1);
        expect_state(*store, history_.tables());
      }
    }
    EXPECT_GT(refused, 3);
  }
}

TEST_F(Faults, FailedFlushOfACommitStopsTheProcess) {
  const auto store = open();
  const auto commit = next_commit(10);
  EXPECT_DEATH(
      {
        vfs_.fail_syncs(0, SQLITE_IOERR_FSYNC);
        (void)store->commit(commit);
      },
      "could not be flushed for .*yardmaster.db");
}

// It is unknown what a failed flush leaves on disk, so the flush is not tried again. The next process finds a
// consistent state, with or without the commit.
TEST_F(Faults, AfterAFailedFlushTheNextProcessFindsAWholeState) {
  {
    const auto store = open();
    grow(*store, history_, 50);
  }
  const auto commit = next_commit(10);
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const auto child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) die_in_a_flush(commit, pipe[1]);
  ::close(pipe[1]);
  int syncs = 0;
  EXPECT_EQ(::read(pipe[0], &syncs, sizeof syncs), static_cast<ssize_t>(sizeof syncs));
  ::close(pipe[0]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
  EXPECT_EQ(syncs, 1) << "a flush that failed is not tried again";
  const auto store = open();
  const auto all = must(read_everything(*store));
  const auto& tables = all.loaded.tables;
  EXPECT_TRUE(tables == testing::unfinished(before_) || tables == testing::unfinished(history_.tables()));
  EXPECT_EQ(all.events.size(), tables.last_seq);
}

// If the database cannot be flushed after the log was moved into it, the log must stay.
TEST_F(Faults, FailedFlushOfACheckpointStopsTheProcess) {
  int flushes = 0;
  for (int nth = -1; nth < flushes; ++nth) {
    const TempDir dir;
    testing::RandomHistory history(32);
    const auto store = must(open_sqlite_store(dir.state(), {.checkpoint_pages = 1, .vfs = vfs_.name()}));
    grow(*store, history, 50);
    auto batch = history.next(10);
    const auto commit = make_commit(history.tables(), batch.touched, std::move(batch.events));
    vfs_.fail_syncs(nth, SQLITE_IOERR_FSYNC);
    if (nth < 0) {
      ASSERT_TRUE(store->commit(commit));
      flushes = vfs_.syncs().seen;
    } else {
      // The dead child has written to this store's files, so the store is not used any more.
      EXPECT_DEATH((void)store->commit(commit), "could not be flushed for .*yardmaster.db");
    }
    vfs_.heal();
  }
  EXPECT_GE(flushes, 2) << "a commit with a checkpoint flushes the log and the database";
}

TEST_F(Faults, FileSizeLimit) {
  const auto store = open();
  grow(*store, history_, 30);
  const auto commit = next_commit(400);
  struct rlimit usual{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  const auto log = dir_.state() / "yardmaster.db-wal";
  const struct rlimit tight{.rlim_cur = fs::file_size(log) + 10'000, .rlim_max = usual.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto done = store->commit(commit);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
  std::signal(SIGXFSZ, ignored);
  expect_refused(done);
  expect_state(*store, before_);
  EXPECT_TRUE(store->commit(commit));
  expect_state(*store, history_.tables());
}

// A disk of 1 MiB that is full, and later has space again.
TEST_F(Faults, FullDisk) {
  fs::create_directories(dir_.path() / "disk");
  const auto disk = dir_.path() / "disk";
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=1m,mode=700") != 0)
    GTEST_SKIP() << "this process may not mount a small disk; FileSizeLimit and the failed writes stand in for it";
  {
    const auto store = must(open_sqlite_store(disk / "state", {.checkpoint_pages = 50}));
    write_file(disk / "ballast", std::string(200'000, 'x'));
    Result<void> done;
    Commit commit;
    for (int i = 0; i < 10'000 && done; ++i) {
      commit = next_commit(10);
      done = store->commit(commit);
    }
    expect_refused(done);
    EXPECT_THAT(done.error().message, HasSubstr("free some space"));
    expect_state(*store, before_);
    EXPECT_FALSE(store->commit(commit)) << "it is still full";
    fs::remove(disk / "ballast");
    EXPECT_TRUE(store->commit(commit)) << "space is back: no restart is needed";
    expect_state(*store, history_.tables());
  }
  EXPECT_EQ(must(must(open_sqlite_store(disk / "state", {}))->load()).tables, testing::unfinished(history_.tables()));
  EXPECT_EQ(::umount(disk.c_str()), 0);
}

}  // namespace
}  // namespace ym::sqlite
