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

// Job 2n of a spec that alone takes a tenth of a page.
void submit_fat(Store& store, Tables& tables, std::uint64_t n) {
  JobSpec spec{.name = "fat", .run = {.words = {"true"}}, .workdir = "/"};
  spec.env["BULK"] = std::string(200'000, 'b');
  const Job job{.id = JobId{2 * n},
                .spec_id = SpecId{2 * n},
                .spec = std::make_shared<const JobSpec>(std::move(spec)),
                .name = "fat",
                .state = n % 2 ? JobState::queued : JobState::held};
  const Event event{.seq = n, .time = {1}, .actor = "a", .reason = "r", .payload = JobSubmitted{job}};
  Touched touched;
  apply(tables, event, &touched);
  ASSERT_TRUE(store.commit(make_commit(tables, touched, {event})));
}

TEST(SqliteStore, PagesOfLargeRowsAreShortAndComplete) {
  constexpr std::size_t kJobs = 60;
  const TempDir dir;
  const auto store = must_open(dir);
  Tables tables;
  for (std::size_t n = 1; n <= kJobs; ++n) submit_fat(*store, tables, n);
  const auto reader = must(store->reader());
  std::uint64_t seq = 0;
  while (true) {
    const auto page = must(reader->events({.after = seq}, 1000));
    if (page.empty()) break;
    EXPECT_LE(page.size(), 12U) << "about 2 MiB";
    for (const auto& event : page) ASSERT_EQ(event.seq, ++seq);
  }
  EXPECT_EQ(seq, kJobs);
  for (const auto& states : {std::vector<JobState>{}, std::vector{JobState::queued, JobState::held}}) {
    std::vector<JobId> ids{JobId{2 * kJobs + 2}};
    while (true) {
      const auto page = must(reader->jobs({.states = states, .before = ids.back()}, 1000));
      if (page.empty()) break;
      EXPECT_LE(page.size(), 24U);
      for (const auto& job : page) {
        ASSERT_EQ(job.id, JobId{ids.back().value - 2});
        ids.push_back(job.id);
      }
    }
    EXPECT_EQ(ids.size(), kJobs + 1);
  }
}

// What is damaged but not looked at when opening is found when it is read.
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
    // A page of an index that nobody reads at start is damaged, as a disk would: the time
    // of the file stays as it was.
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
