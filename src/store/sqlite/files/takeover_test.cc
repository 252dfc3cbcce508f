// Servers that lose their files, or their state to another server.
#include "store/sqlite/database.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

TEST(Takeover, DatabaseTakenAwayIsNoticed) {
  const TempDir dir;
  const auto store = must_open(dir);
  testing::RandomHistory history(4);
  grow(*store, history, 20);
  fs::rename(dir.database(), dir.path() / "elsewhere.db");
  auto batch = history.next(1);
  const auto refused = store->commit(make_commit(history.tables(), batch.touched, batch.events));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("replaced"));
  fs::rename(dir.path() / "elsewhere.db", dir.database());
  EXPECT_TRUE(store->commit(make_commit(history.tables(), batch.touched, batch.events)));
}

// A server with a deleted lock cannot know of a server that started after it.
TEST(Takeover, TheCommitOfAReplacedServerIsRefused) {
  const TempDir dir;
  testing::RandomHistory history(5);
  const auto first = must_open(dir);
  grow(*first, history, 20);
  auto lost = history;
  fs::remove(dir.state() / "lock");
  const auto second = must_open(dir);
  grow(*second, history, 20);
  auto batch = lost.next(3);
  const auto refused = first->commit(make_commit(lost.tables(), batch.touched, batch.events));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_TRUE(is_whole(must(read_everything(*second)), history));
}

// The database alone detects it: each server has a lock of its own.
TEST(Takeover, AnotherWriterIsNoticedInTheTransaction) {
  const TempDir dir;
  testing::RandomHistory history(6);
  const auto store = must_open(dir);
  grow(*store, history, 20);
  const auto shell = must(Database::open(dir.database(), Access::write));
  ASSERT_TRUE(shell->execute("UPDATE meta SET epoch = epoch + 1"));
  auto batch = history.next(3);
  const auto refused = store->commit(make_commit(history.tables(), batch.touched, batch.events));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_EQ(must(shell->integer("SELECT max(seq) FROM events")), static_cast<std::int64_t>(batch.events[0].seq - 1));
}

TEST(Takeover, ALockThatWasDeletedIsNoticed) {
  const TempDir dir;
  testing::RandomHistory history(7);
  const auto store = must_open(dir);
  grow(*store, history, 20);
  fs::remove(dir.state() / "lock");
  auto batch = history.next(1);
  const auto refused = store->commit(make_commit(history.tables(), batch.touched, batch.events));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_THAT(refused.error().message, ::testing::HasSubstr("lock was deleted"));
}

}  // namespace
}  // namespace ym::sqlite
