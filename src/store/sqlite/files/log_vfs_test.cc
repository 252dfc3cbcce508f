#include "store/sqlite/files/log_vfs.h"

#include "store/sqlite/database.h"
#include "store/sqlite/testing/fault_vfs.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

// All that a commit adds to the log: about six pages, each with a header.
TEST(LogVfs, ACommitIsOneWrite) {
  FaultVfs vfs;
  const TempDir dir;
  const auto store = must(open_sqlite_store(dir.state(), {.vfs = vfs.name()}));
  const auto commit = [&](const char* hash) {
    const int before = vfs.writes().seen;
    must(store->commit({.idempotency = {{.principal = "ann", .key = hash}}, .tokens = {{hash, "ann", "admin", {}}}}));
    return vfs.writes().seen - before;
  };
  commit("aa");  // the log begins with a header
  EXPECT_EQ(commit("bb"), 1);
}

class LogOfADatabase : public ::testing::Test {
 protected:
  LogOfADatabase() {
    std::ofstream(file_).close();
    writer_ = must(Database::open(file_, Access::write, log_.name()));
    must(writer_->execute("PRAGMA journal_mode=WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, x TEXT)"));
    must(writer_->execute(rows_of("'old'")));
  }
  // A few hundred pages.
  static std::string rows_of(const std::string& word) {
    return "INSERT OR REPLACE INTO t WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
           "SELECT i, " +
           word + " || hex(zeroblob(100)) FROM n";
  }
  static std::int64_t count(Database& database, const std::string& word) {
    return must(database.integer("SELECT count(*) FROM t WHERE x LIKE '" + word + "%'"));
  }

  FaultVfs fault_;
  LogVfs log_{fault_.name()};
  const TempDir dir_;
  const std::filesystem::path file_ = dir_.path() / "some.db";
  std::unique_ptr<Database> writer_;
};

TEST_F(LogOfADatabase, IsReadByOthersAsFarAsItIsCommitted) {
  const auto reader = must(Database::open(file_, Access::read_only));
  EXPECT_EQ(count(*reader, "old"), 2000);
  must(writer_->execute("BEGIN IMMEDIATE"));
  must(writer_->execute(rows_of("'new'")));
  EXPECT_EQ(count(*writer_, "new"), 2000);
  EXPECT_EQ(count(*reader, "old"), 2000);
  must(writer_->execute("COMMIT"));
  EXPECT_EQ(count(*reader, "new"), 2000);
}

// A transaction that is larger than SQLite's cache goes to the log before its end, and is read from there.
TEST_F(LogOfADatabase, IsReadByTheWriterBeforeTheCommit) {
  must(writer_->execute("PRAGMA cache_spill=ON; PRAGMA cache_size=10; BEGIN IMMEDIATE"));
  must(writer_->execute(rows_of("'new'")));
  EXPECT_EQ(count(*writer_, "new"), 2000);
  must(writer_->execute("SAVEPOINT s"));
  must(writer_->execute(rows_of("'lost'")));
  EXPECT_EQ(count(*writer_, "lost"), 2000);
  must(writer_->execute("ROLLBACK TO s"));
  EXPECT_EQ(count(*writer_, "new"), 2000);
  must(writer_->execute("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)"));
  EXPECT_EQ(count(*must(Database::open(file_, Access::read_only)), "new"), 2000);
  EXPECT_EQ(must(writer_->integer("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'")), 0);
}

TEST_F(LogOfADatabase, ThatCannotBeWrittenChangesNothing) {
  for (const int after : {0, 1, 2}) {
    fault_.fail_writes(after, SQLITE_FULL);
    EXPECT_FALSE(writer_->execute("BEGIN IMMEDIATE; " + rows_of("'new'") + "; COMMIT"));
    EXPECT_TRUE(fault_.fired());
    fault_.heal();
    static_cast<void>(writer_->execute("ROLLBACK"));
    EXPECT_EQ(count(*writer_, "old"), 2000);
    EXPECT_EQ(count(*must(Database::open(file_, Access::read_only)), "old"), 2000);
  }
  must(writer_->execute(rows_of("'new'")));
  writer_.reset();
  EXPECT_EQ(count(*must(Database::open(file_, Access::read_only)), "new"), 2000);
}

}  // namespace
}  // namespace ym::sqlite
