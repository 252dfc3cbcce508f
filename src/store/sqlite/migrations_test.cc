#include "store/sqlite/migrations.h"

#include "store/sqlite/files/files.h"
#include "store/sqlite/meta.h"
#include "store/sqlite/row_sum.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Migrations : public ::testing::Test {
 protected:
  Migrations() {
    grow(*must_open(dir_), history_, 60);
    steps_.assign(migrations().begin(), migrations().end());
  }
  fs::path copy() const { return fmt::format("{}.schema-{}.bak", dir_.database().string(), migrations().size()); }

  TempDir dir_;
  testing::RandomHistory history_{21};
  std::vector<Migration> steps_;
};

TEST_F(Migrations, PresentSchemaIsLeftAlone) {
  const auto database = must(Database::open(dir_.database(), Access::write));
  ASSERT_TRUE(migrate(*database));
  EXPECT_FALSE(fs::exists(copy()));
}

TEST_F(Migrations, LaterSchemaIsReachedStepByStepAndTheOldFileKept) {
  steps_.push_back({"ALTER TABLE tokens ADD COLUMN note TEXT NOT NULL DEFAULT ''"});
  steps_.push_back({"CREATE TABLE extra(id INTEGER PRIMARY KEY); INSERT INTO extra SELECT max(seq) FROM events"});
  const auto database = must(Database::open(dir_.database(), Access::write));
  const auto done = migrate(*database, steps_);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(must(database->integer("PRAGMA user_version")), std::ssize(steps_));
  EXPECT_EQ(must(database->integer("SELECT id FROM extra")), std::ssize(history_.events()));
  ASSERT_TRUE(migrate(*database, steps_)) << "a second time is no change";

  EXPECT_EQ(fs::status(copy()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  // The copy is a complete database with the old schema.
  fs::rename(copy(), dir_.path() / "old.db");
  const TempDir other;
  fs::create_directories(other.state());
  fs::copy_file(dir_.path() / "old.db", other.database());
  const auto store = must(open_sqlite_store(other.state(), {.take_over = true}));
  EXPECT_EQ(must(store->load()).tables, testing::unfinished(history_.tables()));
}

// The first schema had no version of the documents.
void put_meta_of_first_schema(Database& old) {
  const auto cell = [&](std::string_view column) {
    return must(old.integer(fmt::format("SELECT {} FROM later.meta", column)));
  };
  auto query = must(old.query("INSERT INTO meta VALUES(?,?,?,?,?,?,?)"));
  bind_row(query, "meta", cell("id"), cell("last_seq"), cell("last_id"), cell("epoch"), cell("last_time"),
           cell("unfinished"));
  must(query.run());
}

constexpr std::array<std::string_view, 4> kNamedTablesOfFirstSchema{"clusters", "nodes", "flavors", "queues"};

// Brings the database back to the first schema, with the same rows.
void put_back_to_first_schema(const TempDir& dir) {
  const auto later = dir.path() / "later.db";
  fs::rename(dir.database(), later);
  must(create_private(dir.database()));
  const auto old = must(Database::open(dir.database(), Access::write));
  must(old->execute("PRAGMA journal_mode=WAL"));
  must(migrate(*old, migrations().first(1)));
  must(old->execute(fmt::format("ATTACH '{}' AS later", later.string())));
  for (const auto* table :
       {"specs", "jobs", "attempts", "events", "clusters", "nodes", "flavors", "queues", "idempotency", "tokens"})
    must(old->execute(fmt::format("INSERT INTO {0} SELECT * FROM later.{0}", table)));
  put_meta_of_first_schema(*old);
}

TEST_F(Migrations, RowsOfTheFirstSchemaAreAllThereAfterwards) {
  const IdempotencyRecord early{"bob", "k1", "h1", {JobId{1}, JobId{2}}, {1000}};
  const IdempotencyRecord late{"ann", "k2", "h2", {JobId{3}}, {2000}};
  {
    const auto store = must_open(dir_);
    grow(*store, history_, 600);
    ASSERT_TRUE(store->commit({.idempotency = {early, late}}));
  }
  put_back_to_first_schema(dir_);
  const auto store = must_open(dir_);
  auto all = must(read_everything(*store));
  EXPECT_TRUE(all.loaded.tables.usage.empty()) << "the first schema had none";
  const auto reader = must(Database::open(dir_.database(), Access::read_only));
  EXPECT_EQ(must(read_meta(*reader)).documents, json::kFirstDocumentVersion);
  each_named(all.loaded.tables, [&]<class Row>(NamedRows<Row>& rows) {
    const bool was_there = std::ranges::find(kNamedTablesOfFirstSchema, Row::kTable) != kNamedTablesOfFirstSchema.end();
    if (!was_there) rows = rows_of<Row>(history_.tables());
  });
  EXPECT_TRUE(is_whole(all, history_));
  EXPECT_EQ(all.loaded.idempotency, (std::vector{late, early}));
  ASSERT_TRUE(store->expire_idempotency({1500}));
  EXPECT_EQ(must(store->load()).idempotency, std::vector{late});
}

// As an earlier version leaves it, which did not know the table.
TEST(TablesOfNamedRows, MissingOneIsMade) {
  const auto database = must(Database::open(":memory:", Access::write));
  const auto early = migrations().first(1);
  ASSERT_TRUE(migrate(*database, early));
  ASSERT_FALSE(must(has_table(*database, "policies")));
  ASSERT_TRUE(make_missing_tables(*database));
  EXPECT_TRUE(must(has_table(*database, "policies")));
  EXPECT_TRUE(migrate(*database, early)) << "it may be there beside the schema";
}

TEST(TablesOfNamedRows, OneThatASchemaHasAndThatHasVanishedIsDamage) {
  const TempDir dir;
  must_open(dir);
  must(must(Database::open(dir.database(), Access::write))->execute("DROP TABLE policies"));
  const auto opened = open_sqlite_store(dir.state(), {});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::corrupt);
}

TEST_F(Migrations, FailedStepChangesNothing) {
  steps_.push_back({"CREATE TABLE extra(id INTEGER); DELETE FROM events; INSERT INTO no_such_table VALUES(1)"});
  {
    const auto database = must(Database::open(dir_.database(), Access::write));
    EXPECT_FALSE(migrate(*database, steps_));
    EXPECT_EQ(must(database->integer("PRAGMA user_version")), std::ssize(migrations()));
  }
  EXPECT_EQ(must(must_open(dir_)->load()).tables, testing::unfinished(history_.tables()));
}

TEST_F(Migrations, NewerSchemaIsRefusedAndUntouched) {
  steps_.push_back({"CREATE TABLE of_the_future(id INTEGER)"});
  ASSERT_TRUE(migrate(*must(Database::open(dir_.database(), Access::write)), steps_));
  const auto before = read_file(dir_.database());
  const auto refused = open_sqlite_store(dir_.state(), dir_.options());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr(fmt::format("schema {}", steps_.size())));
  EXPECT_EQ(read_file(dir_.database()), before);
}

TEST_F(Migrations, TablesOfAnotherSchemaAreRefused) {
  const auto database = must(Database::open(dir_.database(), Access::write));
  ASSERT_TRUE(database->execute("CREATE TABLE stranger(id INTEGER)"));
  const auto refused = migrate(*database);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
}

}  // namespace
}  // namespace ym::sqlite
