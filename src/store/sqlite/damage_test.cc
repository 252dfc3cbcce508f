// Damage is found, or is harmless: a store never opens with another state or an empty one.
#include "store/sqlite/database.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::HasSubstr;

// What happens with a state directory that has a damaged file.
enum class Outcome { found, harmless };

class Damage : public ::testing::Test {
 protected:
  // The state of a server that has stopped.
  void make_stopped_state(std::size_t events) {
    const auto store = must_open(dir_);
    grow(*store, history_, events);
  }
  // The state of a killed server: the last commits are in the log only.
  void make_killed_state(std::size_t before, std::size_t in_log) {
    make_stopped_state(before);
    const auto store = must_open(dir_);
    grow(*store, history_, in_log);
    copy_as_killed(dir_.state(), copy_);
    ASSERT_GT(fs::file_size(copy_ / "yardmaster.db-wal"), 0U);
  }
  void fresh_copy() { copy_as_killed(dir_.state(), copy_); }

  Outcome open_copy() {
    const auto store = open_sqlite_store(copy_, {});
    if (!store) return refused(store.error());
    const auto everything = read_everything(**store);
    if (!everything) return refused(everything.error());
    EXPECT_TRUE(is_whole(*everything, history_)) << "another state was loaded without a word";
    return Outcome::harmless;
  }

  static Outcome refused(const Error& error) {
    EXPECT_THAT(error.code, AnyOf(Eq(ErrorCode::corrupt), Eq(ErrorCode::conflict))) << error.message;
    EXPECT_THAT(error.message, HasSubstr("yardmaster.db"));
    EXPECT_THAT(error.message, AnyOf(HasSubstr("from a backup"), HasSubstr("Start that version")));
    return Outcome::found;
  }

  TempDir dir_;
  fs::path copy_ = dir_.path() / "copy";
  testing::RandomHistory history_{77};
};

void flip_bit(const fs::path& file, std::uint64_t bit) {
  std::fstream io(file, std::ios::in | std::ios::out | std::ios::binary);
  io.seekg(static_cast<std::streamoff>(bit / 8));
  const int byte = io.get();
  io.seekp(static_cast<std::streamoff>(bit / 8));
  io.put(static_cast<char>(byte ^ (1 << bit % 8)));
}

TEST_F(Damage, UndamagedCopyIsWhole) {
  make_killed_state(100, 40);
  EXPECT_EQ(open_copy(), Outcome::harmless);
}

TEST_F(Damage, BitFlipsInTheDatabase) {
  make_stopped_state(150);
  fresh_copy();
  const auto bytes = fs::file_size(dir_.database());
  Random random(5);
  int found = 0;
  const int flips = campaign(400);
  for (int i = 0; i < flips; ++i) {
    fresh_copy();
    const auto bit = random.below(bytes * 8);
    flip_bit(copy_ / "yardmaster.db", bit);
    SCOPED_TRACE(fmt::format("byte {} bit {}", bit / 8, bit % 8));
    found += open_copy() == Outcome::found;
  }
  EXPECT_GT(found, flips / 4) << "the flips hit nothing, so they prove nothing";
}

TEST_F(Damage, EveryByteOfTheFileHeader) {
  make_stopped_state(30);
  for (std::uint64_t byte = 0; byte < 100; ++byte) {
    fresh_copy();
    flip_bit(copy_ / "yardmaster.db", byte * 8 + byte % 8);
    SCOPED_TRACE(fmt::format("byte {}", byte));
    open_copy();
  }
}

// In the log of a killed server a flipped bit can hit the very last commit. It then looks like a commit that was being
// written. The note says that it was acknowledged.
TEST_F(Damage, BitFlipsInTheLog) {
  make_killed_state(60, 60);
  const auto pristine = read_file(copy_ / "yardmaster.db-wal");
  Random random(6);
  int found = 0;
  const int flips = campaign(250);
  for (int i = 0; i < flips; ++i) {
    const auto bit = random.below(pristine.size() * 8);
    const auto database = read_file(copy_ / "yardmaster.db");
    const auto note = read_file(copy_ / "acknowledged");
    flip_bit(copy_ / "yardmaster.db-wal", bit);
    SCOPED_TRACE(fmt::format("byte {} bit {}", bit / 8, bit % 8));
    found += open_copy() == Outcome::found;
    write_file(copy_ / "yardmaster.db", database);
    write_file(copy_ / "acknowledged", note);
    write_file(copy_ / "yardmaster.db-wal", pristine);
  }
  EXPECT_GT(found, flips / 2);
}

TEST_F(Damage, TruncatedDatabase) {
  make_stopped_state(150);
  const auto size = fs::file_size(dir_.database());
  for (const auto keep : {std::uintmax_t{0}, std::uintmax_t{1}, std::uintmax_t{100}, std::uintmax_t{512},
                          std::uintmax_t{4096}, std::uintmax_t{8192}, size / 2, size - 4096, size - 100, size - 1}) {
    fresh_copy();
    fs::resize_file(copy_ / "yardmaster.db", keep);
    SCOPED_TRACE(fmt::format("{} of {} bytes", keep, size));
    EXPECT_EQ(open_copy(), Outcome::found);
    EXPECT_EQ(fs::file_size(copy_ / "yardmaster.db"), keep) << "the evidence was changed";
  }
}

TEST_F(Damage, TruncatedOrMissingLog) {
  make_killed_state(60, 60);
  const auto pristine = read_file(copy_ / "yardmaster.db-wal");
  const auto database = read_file(copy_ / "yardmaster.db");
  for (const auto keep : {std::size_t{0}, std::size_t{20}, std::size_t{32}, pristine.size() / 2, pristine.size() - 1}) {
    write_file(copy_ / "yardmaster.db", database);
    write_file(copy_ / "yardmaster.db-wal", pristine.substr(0, keep));
    SCOPED_TRACE(fmt::format("{} of {} bytes", keep, pristine.size()));
    EXPECT_EQ(open_copy(), Outcome::found);
    EXPECT_EQ(read_file(copy_ / "yardmaster.db-wal"), pristine.substr(0, keep)) << "the evidence was changed";
    EXPECT_EQ(read_file(copy_ / "yardmaster.db"), database);
  }
  write_file(copy_ / "yardmaster.db", database);
  fs::remove(copy_ / "yardmaster.db-wal");
  EXPECT_EQ(open_copy(), Outcome::found);
}

TEST_F(Damage, OlderCopyInPlaceOfTheDatabase) {
  make_stopped_state(60);
  const auto old = read_file(dir_.database());
  make_stopped_state(60);
  fresh_copy();
  write_file(copy_ / "yardmaster.db", old);
  const auto refused = open_sqlite_store(copy_, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("was acknowledged"));
  // The remedy that the message names.
  fs::remove(copy_ / "acknowledged");
  EXPECT_TRUE(open_sqlite_store(copy_, {}));
}

TEST_F(Damage, DamagedNoteIsNoHarm) {
  make_stopped_state(60);
  for (const auto* text : {"", "rubbish", "00000000000000009999 0000000000000000\n"}) {
    fresh_copy();
    write_file(copy_ / "acknowledged", text);
    EXPECT_EQ(open_copy(), Outcome::harmless) << text;
  }
}

TEST_F(Damage, OtherFileInPlaceOfTheDatabase) {
  make_stopped_state(10);
  fresh_copy();
  write_file(copy_ / "yardmaster.db", std::string(20'000, 'x'));
  EXPECT_EQ(open_copy(), Outcome::found);
}

// Rows that are missing without a trace: only the comparison with table meta finds that.
TEST_F(Damage, RowsThatAreGone) {
  make_stopped_state(200);
  for (const auto* sql :
       {"DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)", "DELETE FROM events WHERE seq = 17",
        "DELETE FROM events WHERE seq > 20", "DELETE FROM jobs WHERE state = 'QUEUED'", "DELETE FROM meta",
        "DELETE FROM specs", "DELETE FROM attempts", "UPDATE jobs SET state = 'FAILED' WHERE state = 'QUEUED'",
        "UPDATE jobs SET owner = 'somebody'", "UPDATE jobs SET doc = replace(doc, 'owner', 'owned')",
        "UPDATE events SET actor = 'nobody' WHERE seq = 5", "UPDATE meta SET last_id = 1",
        "UPDATE meta SET documents = 1000", "UPDATE meta SET documents = NULL", "UPDATE specs SET doc = '{}'",
        "DROP TABLE attempts", "DROP INDEX ended_by_state", "PRAGMA user_version = 0", "PRAGMA user_version = 99"}) {
    fresh_copy();
    must(Database::open(copy_ / "yardmaster.db", Access::write))->execute(sql).value();
    SCOPED_TRACE(sql);
    EXPECT_EQ(open_copy(), Outcome::found);
  }
}

}  // namespace
}  // namespace ym::sqlite
