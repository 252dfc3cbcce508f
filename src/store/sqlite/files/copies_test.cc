// Copies of states: a server may look at one, and takes it over only if it is asked to.
#include "store/sqlite/files/copies.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/testing/sentences.h"
#include "store/sqlite/database.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Optional;

constexpr std::string_view kAnotherMachine = "22222222222222222222222222222222";

class Copies : public ::testing::Test {
 protected:
  void make_state() { grow(*must_open(dir_), history_, 60); }
  void copy_state() {
    fs::remove_all(copy_);
    fs::copy(dir_.state(), copy_, fs::copy_options::recursive);
  }
  Result<std::unique_ptr<Store>> open(const fs::path& dir, bool take_over = false) const {
    auto options = dir_.options();
    options.take_over = take_over;
    return open_sqlite_store(dir, options);
  }
  // What it is said to be a copy of.
  std::string refused_copy_of(const fs::path& dir) const {
    const auto what = copy_of(dir).value_or("no other");
    const auto refused = open(dir);
    EXPECT_FALSE(refused);
    if (refused) return what;
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr(what));
    EXPECT_THAT(refused.error().message, HasSubstr("`ym serve --state " + dir.string() + " --take-over`"));
    return what;
  }
  void expect_original(const fs::path& dir) const {
    EXPECT_EQ(copy_of(dir), std::nullopt);
    const auto store = open(dir);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_FALSE((*store)->is_set_back());
    EXPECT_TRUE(is_whole(must(read_everything(**store)), history_));
  }
  void remove_original() const { fs::remove_all(dir_.state()); }
  static void commit_something(Store& store) { must(store.commit({.tokens = {{"aa", "ann", "admin", {}}}})); }

  TempDir dir_;
  fs::path copy_ = dir_.path() / "copy";
  testing::RandomHistory history_{31};
};

TEST_F(Copies, AreRefusedAndNotChanged) {
  make_state();
  copy_state();
  const auto before = read_file(copy_ / "yardmaster.db") + read_file(copy_ / kMarker);
  EXPECT_THAT(refused_copy_of(copy_), EndsWith(dir_.state().string()));
  EXPECT_EQ(read_file(copy_ / "yardmaster.db") + read_file(copy_ / kMarker), before);
  expect_original(dir_.state());
}

TEST_F(Copies, OfAServedStateAreRefused) {
  const auto store = must_open(dir_);
  grow(*store, history_, 60);
  copy_state();
  EXPECT_THAT(refused_copy_of(copy_), EndsWith(dir_.state().string()));
}

TEST_F(Copies, CanBeLookedAt) {
  const auto store = must_open(dir_);
  grow(*store, history_, 60);
  copy_state();
  EXPECT_EQ(must(read_sqlite_state(copy_)).tables, testing::unfinished(history_.tables()));
  EXPECT_EQ(must(must(open_sqlite_history(copy_))->events({}, 1000)), history_.events());
  const auto held = must(hold_copy(copy_));
  EXPECT_THAT(hold_copy(copy_).error().message, HasSubstr("running"));
  EXPECT_THAT(open(copy_, true).error().message, HasSubstr("running"));
}

TEST_F(Copies, OfAnotherMachine) {
  make_state();
  must(write_marking(dir_.state(), kAnotherMachine));
  if (machine_id().empty()) GTEST_SKIP() << "this machine has no id";
  EXPECT_THAT(refused_copy_of(dir_.state()), AllOf(HasSubstr(dir_.state().string()), HasSubstr(kAnotherMachine)));
}

TEST_F(Copies, ThatArePutBackAreCopiesToo) {
  make_state();
  copy_state();
  fs::remove_all(dir_.state());
  fs::copy(copy_, dir_.state(), fs::copy_options::recursive);
  ym::testing::expect_sentence(refused_copy_of(dir_.state()));
  EXPECT_TRUE(open(dir_.state(), true)) << "its lock is our own";
}

TEST_F(Copies, ADatabaseFromElsewhereIsOne) {
  make_state();
  fs::create_directories(copy_);
  fs::copy_file(dir_.database(), copy_ / "yardmaster.db");
  ym::testing::expect_sentence(refused_copy_of(copy_));
  EXPECT_FALSE(fs::exists(copy_ / kMarker));
  remove_original();
  const auto taken = must(open(copy_, true));
  EXPECT_TRUE(taken->is_set_back());
}

TEST_F(Copies, AMarkerThatCannotBeReadIsACopys) {
  make_state();
  write_file(dir_.state() / kMarker, read_file(dir_.state() / kMarker).substr(0, 80));
  ym::testing::expect_sentence(refused_copy_of(dir_.state()));
}

TEST_F(Copies, WhatLiesAmongTheReceiptsIsNotWaitedFor) {
  make_state();
  copy_state();
  fs::remove(copy_ / kMarker);
  ASSERT_EQ(::mkfifo((dir_.path() / "receipts" / "pipe").c_str(), 0600), 0);
  fs::create_directory(dir_.path() / "receipts" / "folder");
  fs::create_symlink("/dev/zero", dir_.path() / "receipts" / "endless");
  EXPECT_THAT(open(copy_, true).error().message, HasSubstr("still there"));
}

TEST_F(Copies, AStateOfAnOlderVersionIsNone) {
  make_state();
  write_old_marker(dir_.state());
  expect_original(dir_.state());
  EXPECT_EQ(read_marking(dir_.state(), machine_id()).kind, Marking::Kind::right) << "it is marked now";
}

TEST_F(Copies, AFirstStartThatWasKilledBeforeItsMarkIsNone) {
  must_open(dir_);
  fs::remove(dir_.state() / kMarker);
  expect_original(dir_.state());
  EXPECT_TRUE(fs::exists(dir_.state() / kMarker));
}

TEST_F(Copies, AStateThatWasRenamedIsNone) {
  make_state();
  fs::rename(dir_.state(), copy_);
  expect_original(copy_);
  fs::rename(copy_, dir_.state());
  expect_original(dir_.state());
}

TEST_F(Copies, ADatabaseThatIsPutBackIsNoneButIsSetBack) {
  make_state();
  const auto backup = read_file(dir_.database());
  grow(*must_open(dir_), history_, 60);
  write_file(dir_.database(), backup);
  fs::remove(dir_.state() / "acknowledged");
  EXPECT_EQ(copy_of(dir_.state()), std::nullopt);
  EXPECT_TRUE(must_open(dir_)->is_set_back());
  const auto store = must_open(dir_);
  EXPECT_TRUE(store->is_set_back()) << "until something was committed";
  commit_something(*store);
  EXPECT_TRUE(store->is_set_back());
}

TEST_F(Copies, AreTakenOver) {
  make_state();
  copy_state();
  EXPECT_EQ(open(copy_, true).error().code, ErrorCode::conflict) << "the original is there";
  remove_original();
  {
    const auto store = must(open(copy_, true));
    EXPECT_TRUE(store->is_set_back());
    EXPECT_TRUE(is_whole(must(read_everything(*store)), history_));
    commit_something(*store);
  }
  EXPECT_EQ(copy_of(copy_), std::nullopt);
  EXPECT_FALSE(must(open(copy_))->is_set_back());
  EXPECT_TRUE(must(open(copy_, true))->is_set_back()) << "who says so once more means that it was put back";
}

TEST_F(Copies, TakenOverByAServerThatDiesBeforeItCommitsAreSetBackStill) {
  make_state();
  copy_state();
  remove_original();
  must(open(copy_, true));
  EXPECT_TRUE(must(open(copy_))->is_set_back());
}

TEST_F(Copies, AreNotTakenOverWhileTheOriginalIsServed) {
  auto original = must_open(dir_);
  grow(*original, history_, 60);
  copy_state();
  const auto refused = open(copy_, true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr(dir_.state().string()), HasSubstr(fmt::format("(pid {})", ::getpid()))));
  original.reset();
  EXPECT_THAT(open(copy_, true).error().message, AllOf(HasSubstr("still there"), Not(HasSubstr("(pid "))));
  fs::rename(dir_.state(), dir_.path() / "old");
  EXPECT_TRUE(open(copy_, true));
}

TEST_F(Copies, ADatabaseAloneIsNotTakenOverWhileItsOriginalIsThere) {
  auto options = dir_.options();
  options.receipts = dir_.path() / "receipts";
  grow(*must(open_sqlite_store(dir_.state(), options)), history_, 60);
  fs::create_directory(copy_);
  fs::copy_file(dir_.state() / "yardmaster.db", copy_ / "yardmaster.db");
  options.take_over = true;
  EXPECT_THAT(open_sqlite_store(copy_, options).error().message,
              AllOf(HasSubstr(dir_.state().string()), HasSubstr("still there")));
  remove_original();
  EXPECT_TRUE(must(open_sqlite_store(copy_, options))->is_set_back());
}

TEST_F(Copies, ThatAreDamagedAreNotTakenOver) {
  make_state();
  copy_state();
  must(Database::open(copy_ / "yardmaster.db", Access::write))->execute("DELETE FROM events WHERE seq > 20").value();
  remove_original();
  EXPECT_EQ(open(copy_, true).error().code, ErrorCode::corrupt);
  EXPECT_THAT(copy_of(copy_), Optional(EndsWith(dir_.state().string()))) << "nothing was changed";
}

TEST_F(Copies, WhereThereIsNoStateNothingIsTakenOver) {
  for (const auto& dir : {copy_, dir_.path()}) EXPECT_EQ(open(dir, true).error().code, ErrorCode::conflict);
  EXPECT_FALSE(fs::exists(copy_));
}

TEST_F(Copies, NothingIsOne) {
  EXPECT_EQ(copy_of(dir_.state()), std::nullopt);
  make_state();
  copy_state();
  fs::remove(copy_ / "yardmaster.db");
  EXPECT_EQ(copy_of(copy_), std::nullopt) << "it has lost its state";
  auto options = dir_.options();
  options.initialise = true;
  EXPECT_FALSE(must(open_sqlite_store(copy_, options))->is_set_back());
  EXPECT_EQ(copy_of(copy_), std::nullopt);
}

}  // namespace
}  // namespace ym::sqlite
