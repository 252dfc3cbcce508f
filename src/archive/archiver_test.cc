#include "archive/archiver.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <semaphore>

#include "archive/segment_check.h"
#include "archive/segment_file.h"
#include "store/conformance/must.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {
namespace {

namespace fs = std::filesystem;
using ym::testing::must;

constexpr Instant kStart{1'790'000'000'000};

// A store with records and seals, and the row of each segment in place of a server.
class ArchiverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = fs::temp_directory_path() / "ym-archive-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
    store_ = must(open_sqlite_store(dir_ / "state", {.initialise = true}));
    (void)must(store_->load());
  }
  void TearDown() override {
    store_.reset();
    fs::remove_all(dir_);
  }

  void store(EventPayload payload, Instant time) {
    std::vector<Event> events{
        {.seq = tables_.last_seq + 1, .time = time, .actor = "ann", .reason = "", .payload = std::move(payload)}};
    Touched touched;
    apply(tables_, events.front(), &touched);
    must(store_->commit(make_commit(tables_, touched, std::move(events))));
  }
  // Records, and a seal of all that have none.
  void grow(int records, Instant time) {
    for (int i = 0; i < records; ++i) store(RequestAudited{.verb = "jobs.get", .object = std::to_string(i)}, time);
    const auto reader = must(store_->reader());
    const auto leaves = must(read_leaves(*reader, head_.to, kMostSealed));
    LogSealed seal = make_seal(head_, leaves);
    head_ = {.to = seal.to, .chain = seal.chain};
    store(std::move(seal), time);
  }

  Archiver::Ports ports() {
    return {.reader = [this] { return store_->reader(); },
            .now = [this] { return now_; },
            .segments = [this] { return rows_; },
            .add = [this](const HistorySegment& row) -> Result<void> {
              if (std::exchange(refuse_row_, false)) return fail(ErrorCode::unavailable, "the row is not stored");
              rows_.push_back(row);
              return {};
            },
            .remove = [this](const HistorySegment&) { return rows_.erase(rows_.begin()), Result<void>(); },
            .prune = [this](std::uint64_t to, std::size_t limit) -> Result<Pruned> {
              if (prunes_left_ == 0) return fail(ErrorCode::unavailable, "the server ends");
              prunes_left_ -= prunes_left_ > 0 ? 1 : 0;
              return store_->prune(to, std::min<std::size_t>(limit, 7));
            }};
  }
  Result<void> look(const Retention& retention = {.jobs = hours(1)}) {
    Archiver archiver(dir_ / "history", ports());
    archiver.set(retention);
    auto looked = archiver.look();
    counts_ = *archiver.counts();
    return looked;
  }
  std::uint64_t first_event() {
    const auto events = must(must(store_->reader())->events({.after = 1}, 1));
    return events.empty() ? 0 : events.front().seq;
  }
  void expect_whole() {
    std::uint64_t to = 0;
    for (const auto& row : rows_) {
      EXPECT_EQ(row.from, to + 1);
      to = row.to;
      const auto checked = check_segment(dir_ / "history" / row.name);
      ASSERT_TRUE(checked) << checked.error().message;
      EXPECT_EQ(checked->end.chain, row.chain);
      EXPECT_EQ(must(sha256_of_file(dir_ / "history" / row.name)), row.sha256);
    }
    EXPECT_EQ(first_event(), std::max<std::uint64_t>(to + 1, 2));
    const VerifiedTo begin =
        rows_.empty() ? VerifiedTo{} : VerifiedTo{{rows_.back().to, rows_.back().chain}, rows_.back().seal};
    const auto part = must(verify_part(*must(store_->reader()), begin, tables_.last_seq));
    EXPECT_FALSE(part.fault) << part.fault->what;
  }

  fs::path dir_;
  std::unique_ptr<Store> store_;
  Tables tables_;
  SealHead head_;
  std::vector<HistorySegment> rows_;
  Instant now_ = kStart;
  bool refuse_row_ = false;
  int prunes_left_ = -1;  // no limit
  ArchiveCounts counts_;  // after the last look
};

TEST_F(ArchiverTest, OldEventsLeaveWithTheirSeals) {
  grow(30, kStart);
  grow(30, kStart + minutes(1));
  grow(5, kStart + hours(2));
  now_ = kStart + minutes(119);
  must(look());
  EXPECT_TRUE(rows_.empty()) << "a segment has at least as much time as events are kept";
  now_ = kStart + hours(2) + seconds(1);
  must(look());
  ASSERT_EQ(rows_.size(), 1u);
  EXPECT_EQ(rows_[0].to, 61u) << "two spans, with the first one's seal";
  expect_whole();
  now_ = kStart + hours(5);
  grow(1, now_);
  must(look());
  EXPECT_EQ(rows_.size(), 2u);
  expect_whole();
}

TEST_F(ArchiverTest, AnyStepThatFailsIsRepeated) {
  grow(30, kStart);
  grow(1, kStart + hours(2));
  now_ = kStart + hours(3);
  refuse_row_ = true;
  EXPECT_FALSE(look()) << "the file is there, the row is not";
  EXPECT_EQ(first_event(), 2u);
  EXPECT_EQ(counts_.failures, 1);
  EXPECT_EQ(counts_.overdue_ms, hours(1).ms) << "an hour in the database, and one of a segment, are over for an hour";
  for (const int steps : {0, 1, 2}) {
    prunes_left_ = steps;
    EXPECT_FALSE(look()) << "some of the events are deleted";
  }
  prunes_left_ = -1;
  must(look());
  EXPECT_EQ(rows_.size(), 1u);
  EXPECT_EQ(counts_.failures, 0);
  EXPECT_EQ(counts_.overdue_ms, 0);
  expect_whole();
}

TEST_F(ArchiverTest, NothingIsDeletedWithoutItsFile) {
  grow(30, kStart);
  grow(1, kStart + hours(2));
  now_ = kStart + hours(3);
  prunes_left_ = 1;
  EXPECT_FALSE(look());
  const auto first = first_event();
  prunes_left_ = -1;
  const auto file = dir_ / "history" / rows_.at(0).name;
  fs::rename(file, dir_ / "kept");
  EXPECT_FALSE(look());
  fs::copy(dir_ / "kept", file);
  fs::resize_file(file, fs::file_size(file) - 1);
  EXPECT_FALSE(look());
  EXPECT_EQ(first_event(), first);
  fs::remove(file);
  fs::rename(dir_ / "kept", file);
  must(look());
  expect_whole();
}

TEST_F(ArchiverTest, AFileWithoutARowIsSetAside) {
  grow(30, kStart);
  grow(1, kStart + hours(2));
  now_ = kStart + hours(3);
  refuse_row_ = true;
  EXPECT_FALSE(look());
  must(look());
  std::size_t strays = 0;
  for (const auto& entry : fs::directory_iterator(dir_ / "history"))
    strays += entry.path().extension() == ".stray" ? 1 : 0;
  EXPECT_EQ(strays, 1u);
  expect_whole();
}

// As after a leader that slept through a takeover.
TEST_F(ArchiverTest, AFileWithARowComesBack) {
  grow(30, kStart);
  grow(1, kStart + hours(2));
  now_ = kStart + hours(3);
  must(look());
  const auto file = dir_ / "history" / rows_.at(0).name;
  const auto stray = file.string() + ".stray";
  fs::rename(file, stray);
  fs::copy(stray, dir_ / "kept");
  fs::resize_file(stray, fs::file_size(stray) - 1);
  must(look());
  EXPECT_FALSE(fs::exists(file)) << "it is another file";
  fs::rename(dir_ / "kept", stray);
  must(look());
  EXPECT_FALSE(fs::exists(stray));
  expect_whole();
}

TEST_F(ArchiverTest, NothingLeavesThatIsNotAsItWasSealed) {
  grow(30, kStart);
  head_.chain = std::string(head_.chain.size(), '0');
  grow(5, kStart);
  grow(1, kStart + hours(2));
  now_ = kStart + hours(3);
  EXPECT_FALSE(look());
  EXPECT_EQ(first_event(), 2u);
  EXPECT_TRUE(rows_.empty());
  EXPECT_EQ(counts_.failures, 1);
  EXPECT_EQ(counts_.overdue_ms, hours(1).ms) << "it shows";
}

TEST_F(ArchiverTest, TheThreadFollowsWhatIsSet) {
  grow(30, kStart);
  grow(1, kStart + hours(2));
  now_ = kStart + hours(3);
  for (const bool taken_back : {true, false}) {
    std::binary_semaphore pruned{0};
    auto watched = ports();
    Archiver* archiver = nullptr;
    watched.prune = [&, prune = watched.prune](std::uint64_t to, std::size_t limit) {
      const auto done = prune(to, limit);
      if (taken_back) archiver->set({});
      if (taken_back || !done->more) pruned.release();
      return done;
    };
    Archiver mine(dir_ / "history", std::move(watched));
    archiver = &mine;
    mine.start();
    mine.set(Retention{.jobs = hours(1)});
    pruned.acquire();
    mine.stop();
    EXPECT_EQ(first_event(), taken_back ? 9u : rows_.at(0).to + 1) << "a look ends when its retention does";
  }
  expect_whole();
}

TEST_F(ArchiverTest, OldSegmentsAreDeletedButForTheLast) {
  for (int day = 0; day < 4; ++day) {
    grow(3, kStart + hours(day * 24));
    now_ = kStart + hours((day + 1) * 24) - minutes(1);
    must(look());
  }
  ASSERT_EQ(rows_.size(), 4u);
  const auto first = rows_.front().name;
  now_ = kStart + hours(30 * 24);
  must(look({.jobs = hours(30 * 24), .audit = hours(40 * 24)}));
  EXPECT_EQ(rows_.size(), 4u);
  must(look({.jobs = hours(30 * 24), .audit = hours(24)}));
  EXPECT_EQ(rows_.size(), 1u) << "later seals follow the last one's chain";
  EXPECT_FALSE(fs::exists(dir_ / "history" / first));
}

}  // namespace
}  // namespace ym
