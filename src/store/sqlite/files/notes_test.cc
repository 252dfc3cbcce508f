// Whole directories that are replaced by a backup: only the note outside them reveals that.
#include "store/sqlite/files/notes.h"

#include <gmock/gmock.h>

#include "store/sqlite/files/state_marker.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Copies over the existing files, as `cp -a backup/. DIR/` does: the inodes stay the same.
void put_in_place(const fs::path& from, const fs::path& to) {
  fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing);
}

// As `rsync -a backup/ DIR/` does: it skips files that look the same.
void put_in_place_but_marker(const fs::path& from, const fs::path& to) {
  for (const auto& entry : fs::directory_iterator(from))
    if (entry.path().filename() != kMarker)
      fs::copy_file(entry.path(), to / entry.path().filename(), fs::copy_options::overwrite_existing);
}

class PutBack : public ::testing::Test {
 protected:
  PutBack() {
    run(60);
    back_up();
  }
  void run(int events) { grow(*must_open(dir_), history_, events); }
  void back_up() const { fs::copy(dir_.state(), backup_, fs::copy_options::recursive); }
  static void commit_something(Store& store) { must(store.commit({.tokens = {{"aa", "ann", "admin", {}}}})); }
  std::vector<fs::path> notes() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(dir_.path() / "receipts"))
      if (entry.path().extension() == ".acknowledged") found.push_back(entry.path());
    return found;
  }
  bool is_set_back() const { return must_open(dir_)->is_set_back(); }

  TempDir dir_;
  fs::path backup_ = dir_.path() / "backup";
  testing::RandomHistory history_{41};
};

TEST_F(PutBack, OverWhatIsThereIsSetBackUntilTheFirstCommit) {
  const auto then = history_;
  for (const auto put : {put_in_place, put_in_place_but_marker}) {
    run(60);
    put(backup_, dir_.state());
    EXPECT_EQ(read_marking(dir_.state(), machine_id()).kind, Marking::Kind::right) << "the marker does not tell";
    EXPECT_TRUE(is_set_back());
    EXPECT_TRUE(is_set_back()) << "the server before died before it committed";
    commit_something(*must_open(dir_));
    EXPECT_FALSE(is_set_back());
    put(backup_, dir_.state());
    history_ = then;
  }
}

TEST_F(PutBack, WithAMarkerOfAnOlderVersionIsSetBack) {
  write_old_marker(backup_);
  run(60);
  fs::remove_all(dir_.state());
  fs::copy(backup_, dir_.state(), fs::copy_options::recursive);
  EXPECT_TRUE(is_set_back());
  EXPECT_TRUE(is_set_back());
}

TEST_F(PutBack, AfterADirectoryWasRenamedIsSetBack) {
  run(60);
  const auto renamed = dir_.path() / "renamed";
  fs::rename(dir_.state(), renamed);
  put_in_place(backup_, renamed);
  EXPECT_TRUE(must(open_sqlite_store(renamed, dir_.options()))->is_set_back());
}

TEST_F(PutBack, IsToldToTheUserThatMovesIt) {
  run(60);
  put_in_place(backup_, dir_.state());
  must(mark_moved(dir_.state(), "elsewhere"));
  auto options = dir_.options();
  options.even_if_moved = true;
  EXPECT_TRUE(must(open_sqlite_store(dir_.state(), options))->is_set_back());
}

TEST_F(PutBack, WithoutAnyOfItNothingIsSetBack) {
  EXPECT_FALSE(is_set_back());
  run(60);
  EXPECT_FALSE(is_set_back());
  ASSERT_EQ(notes().size(), 1U);
  fs::remove(notes().front());
  EXPECT_FALSE(is_set_back()) << "no note tells nothing";
}

// As after a power loss: both notes may be older than the database.
TEST_F(PutBack, NotesThatAreOlderAreNoHarm) {
  const auto old = read_file(notes().front());
  run(60);
  write_file(notes().front(), old);
  write_file(dir_.state() / "acknowledged", old);
  EXPECT_FALSE(is_set_back());
}

TEST_F(PutBack, ADatabaseAloneIsRefusedStill) {
  run(60);
  put_in_place_but_marker(backup_, dir_.state());
  write_file(dir_.state() / "acknowledged", read_file(notes().front()));
  const auto refused = open_sqlite_store(dir_.state(), dir_.options());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
  EXPECT_THAT(refused.error().message, HasSubstr("was acknowledged"));
}

TEST_F(PutBack, ADamagedNoteIsNoHarm) {
  for (const auto* text : {"", "rubbish", "00000000000000009999 0000000000000000\n"}) {
    write_file(notes().front(), text);
    EXPECT_FALSE(is_set_back()) << text;
  }
}

// The first of the two states is longer, and its note has another name.
TEST_F(PutBack, AStateThatBeginsAnewHasItsOwnNote) {
  fs::remove_all(dir_.state());
  auto options = dir_.options();
  options.initialise = true;
  testing::RandomHistory anew(42);
  grow(*must(open_sqlite_store(dir_.state(), options)), anew, 5);
  EXPECT_FALSE(is_set_back());
  EXPECT_EQ(notes().size(), 2U);
  fs::remove_all(backup_);
  back_up();
  grow(*must_open(dir_), anew, 5);
  put_in_place(backup_, dir_.state());
  EXPECT_TRUE(is_set_back()) << "from its first commit on";
}

// Two machines share a home, and use the same path.
TEST_F(PutBack, StatesDoNotDisturbEachOther) {
  const TempDir other;
  testing::RandomHistory theirs(43);
  auto options = other.options();
  options.receipts = dir_.path() / "receipts";
  grow(*must(open_sqlite_store(other.state(), options)), theirs, 500);
  EXPECT_FALSE(is_set_back());
  EXPECT_EQ(notes().size(), 2U);
}

TEST_F(PutBack, WithoutReceiptsNothingTells) {
  const TempDir other;
  testing::RandomHistory theirs(44);
  write_file(other.path() / "receipts", "a file where the folder should be");
  for (const auto& options : {SqliteOptions{}, other.options()}) {
    grow(*must(open_sqlite_store(other.state(), options)), theirs, 60);
    EXPECT_FALSE(must(open_sqlite_store(other.state(), options))->is_set_back());
  }
}

// The whole disk is rolled back, with all notes. Only the administrator knows, and says it with `take_over`.
TEST_F(PutBack, AnOriginalThatIsTakenOverIsSetBack) {
  auto options = dir_.options();
  options.take_over = true;
  must(open_sqlite_store(dir_.state(), options));
  EXPECT_TRUE(is_set_back()) << "the server that took it over died before its first commit";
  const auto store = must(open_sqlite_store(dir_.state(), options));
  EXPECT_TRUE(store->is_set_back());
  EXPECT_TRUE(is_whole(must(read_everything(*store)), history_));
  commit_something(*store);
  EXPECT_TRUE(store->is_set_back());
}

}  // namespace
}  // namespace ym::sqlite
