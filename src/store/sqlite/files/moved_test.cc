// States that were moved into another store, and servers with a state in another store.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class Moved : public ::testing::Test {
 protected:
  Moved() {
    const auto store = must_open(dir_);
    grow(*store, history_, 60);
    must(mark_moved(dir_.state(), "PostgreSQL at db1"));
  }

  TempDir dir_;
  testing::RandomHistory history_{61};
};

TEST_F(Moved, IsRefusedWithThePlaceItWentTo) {
  for (const bool initialise : {false, true}) {
    auto options = dir_.options();
    options.initialise = initialise;
    const auto refused = open_sqlite_store(dir_.state(), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr("PostgreSQL at db1"));
    EXPECT_THAT(refused.error().message, HasSubstr("`--take-over`")) << "what began there is not known";
  }
}

TEST_F(Moved, IsRefusedAlsoWithoutItsDatabase) {
  fs::remove(dir_.database());
  EXPECT_THAT(open_sqlite_store(dir_.state(), dir_.options()).error().message, HasSubstr("PostgreSQL at db1"));
}

TEST_F(Moved, IsRefusedAlsoWhereThePlaceCannotBeRead) {
  fs::remove(dir_.state() / "moved");
  ASSERT_EQ(::mkfifo((dir_.state() / "moved").c_str(), 0600), 0);
  EXPECT_THAT(open_sqlite_store(dir_.state(), dir_.options()).error().message, HasSubstr("cannot be read"));
}

TEST_F(Moved, NothingElseOfItIsChanged) {
  auto options = dir_.options();
  options.even_if_moved = true;
  EXPECT_TRUE(is_whole(must(read_everything(*must(open_sqlite_store(dir_.state(), options)))), history_));
  must(unmark_moved(dir_.state()));
  EXPECT_TRUE(is_whole(must(read_everything(*must_open(dir_))), history_));
  EXPECT_FALSE(fs::exists(dir_.state() / "moved"));
}

TEST_F(Moved, ItsDirectoryServesAServerWithItsStateInAnotherPlace) {
  const auto held = hold_state_dir(dir_.state());
  ASSERT_TRUE(held) << held.error().message;
  EXPECT_THAT(hold_state_dir(dir_.state()).error().message, HasSubstr("running"));
}

TEST(HeldDirectory, IsMadeAndIsNotTakenForAState) {
  const TempDir dir;
  must(hold_state_dir(dir.state()));
  EXPECT_TRUE(must(hold_state_dir(dir.state())));
  EXPECT_TRUE(open_sqlite_store(dir.state(), dir.options())) << "nothing of a state is there yet";
}

TEST(HeldDirectory, WithAStateOfItsOwnIsRefused) {
  const TempDir dir;
  must_open(dir);
  const auto refused = hold_state_dir(dir.state());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("ym migrate"));
}

}  // namespace
}  // namespace ym::sqlite
