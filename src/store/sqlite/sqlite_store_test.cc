#include "store/sqlite/sqlite_store.h"

#include <sys/stat.h>

#include "store/conformance/suite.h"
#include "store/sqlite/database.h"
#include "store/sqlite/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

class SqliteHost final : public ym::testing::StoreHost {
 public:
  std::unique_ptr<Store> open() override { return must_open(dir_); }

 private:
  TempDir dir_;
};

const bool kRegistered =
    ym::testing::register_store_conformance("Sqlite", [] { return std::make_unique<SqliteHost>(); });

unsigned mode_of(const fs::path& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777U;
}

TEST(SqliteStore, FilesAreTheOwnersOnly) {
  ASSERT_TRUE(kRegistered);
  const TempDir dir;
  const auto store = must_open(dir);
  ASSERT_TRUE(store->commit({.tokens = {{"aa", "ann", "admin", {}}}}));
  EXPECT_EQ(mode_of(dir.state()), 0700U);
  for (const auto* name : {"yardmaster.db", "yardmaster.db-wal", "acknowledged", "lock", "yardmaster.state"})
    EXPECT_EQ(mode_of(dir.state() / name), 0600U) << name;
}

TEST(SqliteStore, CleanStopLeavesTheDatabaseAlone) {
  const TempDir dir;
  testing::RandomHistory history(1);
  grow(*must_open(dir), history, 50);
  EXPECT_FALSE(fs::exists(dir.state() / "yardmaster.db-wal"));
  EXPECT_EQ(must(must_open(dir)->load()).tables, testing::unfinished(history.tables()));
}

TEST(SqliteStore, LogIsMovedIntoTheDatabase) {
  const TempDir dir;
  auto options = dir.options();
  options.checkpoint_pages = 20;
  const auto store = must(open_sqlite_store(dir.state(), options));
  testing::RandomHistory history(2);
  grow(*store, history, 1500, 3);
  EXPECT_LT(fs::file_size(dir.state() / "yardmaster.db-wal"), 100U * 4120) << "the log grew without bound";
  EXPECT_GT(fs::file_size(dir.database()), 100U * 4096);
}

TEST(SqliteStore, OpenReadersDoNotDisturbLaterOpens) {
  const TempDir dir;
  testing::RandomHistory history(3);
  auto store = must_open(dir);
  grow(*store, history, 60);
  const auto reader = must(store->reader());
  ASSERT_EQ(must(reader->events({}, 1000)), history.events());
  store.reset();
  store = must_open(dir);
  grow(*store, history, 60);
  EXPECT_EQ(must(reader->events({}, 1000)), history.events());
  EXPECT_EQ(must(store->load()).tables, testing::unfinished(history.tables()));
}

TEST(SqliteStore, ReaderConnectionCannotWrite) {
  const TempDir dir;
  const auto store = must_open(dir);
  const auto reader = must(Database::open(dir.database(), Access::read_only));
  EXPECT_FALSE(reader->execute("DELETE FROM events"));
  EXPECT_FALSE(reader->execute("PRAGMA query_only=OFF; DELETE FROM events"));
}

TEST(SqliteStore, ThousandsOfSubmitsInOneCommit) {
  const TempDir dir;
  const auto store = must_open(dir);
  const auto spec = std::make_shared<JobSpec>(JobSpec{.name = "many"});
  Tables tables;
  Touched touched;
  std::vector<Event> events;
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    const Job job{.id = JobId{i + 1}, .spec_id = SpecId{1}, .spec = spec, .pending = ReasonCode::pending_evaluation};
    events.push_back({.seq = i, .payload = JobSubmitted{job}});
    apply(tables, events.back(), &touched);
  }
  ASSERT_TRUE(store->commit(make_commit(tables, touched, events)));
  EXPECT_EQ(must(store->load()).tables, tables);
  const auto shell = must(Database::open(dir.database(), Access::read_only));
  EXPECT_EQ(must(shell->integer("SELECT count(*) FROM specs")), 1);
}

TEST(SqliteStore, DatabaseTakenAwayIsNoticed) {
  const TempDir dir;
  const auto store = must_open(dir);
  testing::RandomHistory history(4);
  grow(*store, history, 20);
  fs::rename(dir.database(), dir.path() / "elsewhere.db");
  auto batch = history.next(1);
  const auto refused = store->commit(make_commit(history.tables(), batch.touched, batch.events));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("was deleted or replaced"));
  fs::rename(dir.path() / "elsewhere.db", dir.database());
  EXPECT_TRUE(store->commit(make_commit(history.tables(), batch.touched, batch.events)));
}

}  // namespace
}  // namespace ym::sqlite
