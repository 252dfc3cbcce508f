// States of earlier versions are read, migrated and written to.
#include "store/conformance/old_state.h"

#include "store/sqlite/database.h"
#include "store/sqlite/files/files.h"
#include "store/sqlite/meta.h"
#include "store/sqlite/migrations.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

TEST(OldState, IsMigratedAndWhole) {
  const TempDir dir;
  fs::create_directories(dir.state());
  must(create_private(dir.database()));
  must(must(Database::open(dir.database(), Access::write))
           ->execute("PRAGMA journal_mode=WAL;" + read_file(YM_SOURCE_DIR "/tests/old_states/documents-1/sqlite.sql")));
  {
    const auto store = must(open_sqlite_store(dir.state(), {.take_over = true}));
    testing::expect_old_state(*store);
  }
  EXPECT_TRUE(fs::exists(dir.database().string() + ".schema-5.bak"));
  const auto database = must(Database::open(dir.database(), Access::read_only));
  EXPECT_EQ(must(known_version(*database)), migrations().size());
  EXPECT_EQ(must(read_meta(*database)).documents, json::kDocumentVersion);
}

}  // namespace
}  // namespace ym::sqlite
