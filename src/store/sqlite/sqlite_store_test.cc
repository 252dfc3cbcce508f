#include "store/sqlite/sqlite_store.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "store/conformance/suite.h"
#include "store/sqlite/database.h"
#include "store/sqlite/meta.h"
#include "store/sqlite/row_sum.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

class SqliteHost final : public ym::testing::DatabaseHost {
 public:
  std::unique_ptr<Store> open() override { return must_open(dir_); }
  Result<std::unique_ptr<Store>> try_open() override { return open_sqlite_store(dir_.state(), dir_.options()); }
  Result<LoadedState> read_state() override { return read_sqlite_state(dir_.state()); }
  Result<std::unique_ptr<StoreReader>> history() override { return open_sqlite_history(dir_.state()); }

  std::int64_t documents() override {
    return must(must(Database::open(dir_.database(), Access::read_only))->integer("SELECT documents FROM meta"));
  }
  void set_documents(std::int64_t version) override {
    const auto database = must(Database::open(dir_.database(), Access::write));
    auto meta = as_read(*database);
    meta.documents = version;
    must(replace_meta(*database, meta, meta));
  }
  void set_queue(const std::string& name, const std::string& doc) override {
    const auto database = must(Database::open(dir_.database(), Access::write));
    auto query = must(database->query("INSERT OR REPLACE INTO queues(name, doc, sum) VALUES(?,?,?)"));
    bind_row(query, "queues", std::string_view(name), std::string_view(doc));
    must(query.run());
  }

 private:
  static Meta as_read(Database& database) {
    const auto cell = [&](std::string_view column) {
      return must(database.integer(fmt::format("SELECT {} FROM meta", column)));
    };
    return {.last_seq = static_cast<std::uint64_t>(cell("last_seq")),
            .last_id = static_cast<std::uint64_t>(cell("last_id")),
            .epoch = static_cast<std::uint64_t>(cell("epoch")),
            .last_time = {cell("last_time")},
            .unfinished = cell("unfinished")};
  }

  TempDir dir_;
};

const bool kRegistered =
    ym::testing::register_store_conformance("Sqlite", [] { return std::make_unique<SqliteHost>(); }) &&
    ym::testing::register_document_conformance("Sqlite", [] { return std::make_unique<SqliteHost>(); });

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
  rows::expect_many_submits(*store, [&] {
    return must(must(Database::open(dir.database(), Access::read_only))->integer("SELECT count(*) FROM specs"));
  });
}

TEST(SqliteStore, PruningGivesEachFreePageBack) {
  const TempDir dir;
  testing::RandomHistory history(24);
  const auto store = must_open(dir);
  grow(*store, history, 12'000);
  const auto shell = must(Database::open(dir.database(), Access::read_only));
  const auto before = must(shell->integer("PRAGMA page_count"));
  const auto to = history.tables().last_seq - 1;
  int steps = 1;
  while (must(store->prune(to, 100'000)).more) ++steps;
  EXPECT_GT(steps, 1) << "a step gives back a part";
  EXPECT_EQ(must(shell->integer("PRAGMA freelist_count")), 0);
  EXPECT_LT(must(shell->integer("PRAGMA page_count")), before);
  EXPECT_FALSE(must(store->prune(to, 10)).more);
}

TEST(SqliteStore, PagesOfLargeRowsAreShortAndComplete) {
  const TempDir dir;
  rows::expect_short_pages(*must_open(dir), 12, 24);
}

// Damage that the opening does not look for is found when the row is read.
TEST(SqliteStore, AVeryLargeDatabaseIsCheckedOnlyAfterACrash) {
  const TempDir dir;
  testing::RandomHistory history(8);
  auto options = dir.options();
  options.skip_check_bytes = 1;
  {
    const auto store = must(open_sqlite_store(dir.state(), options));
    grow(*store, history, 300);
  }
  ASSERT_TRUE(fs::exists(dir.state() / "stopped-cleanly"));
  {
    // Damages a page of an index that a start does not read. The file keeps its time, as when a disk damages it.
    const auto time = fs::last_write_time(dir.database());
    auto bytes = read_file(dir.database());
    const auto shell = must(Database::open(dir.database(), Access::read_only));
    const auto page = must(shell->integer("SELECT rootpage FROM sqlite_schema WHERE name = 'ended_by_name'"));
    const auto size = must(shell->integer("PRAGMA page_size"));
    bytes[static_cast<std::size_t>((page - 1) * size)] ^= 0x55;
    write_file(dir.database(), bytes);
    fs::last_write_time(dir.database(), time);
  }
  {
    const auto opened = open_sqlite_store(dir.state(), options);
    EXPECT_TRUE(opened) << opened.error().message;
    EXPECT_FALSE(fs::exists(dir.state() / "stopped-cleanly")) << "while it runs, it has not stopped";
  }
  fs::remove(dir.state() / "stopped-cleanly");
  EXPECT_FALSE(open_sqlite_store(dir.state(), options)) << "after a crash all of it is checked";
}

}  // namespace
}  // namespace ym::sqlite
