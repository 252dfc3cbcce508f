#include "store/sqlite/wal_check.h"

#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeader = 32;
constexpr std::size_t kFrame = 24 + 4096;

// A log with several commits, written by SQLite itself.
class WalCheck : public ::testing::Test {
 protected:
  WalCheck() {
    const auto store = must_open(dir_);
    testing::RandomHistory history(9);
    grow(*store, history, 40);
    log_ = read_file(dir_.state() / "yardmaster.db-wal");
  }

  std::size_t frames() const { return (log_.size() - kHeader) / kFrame; }
  static std::size_t place(std::size_t frame) { return kHeader + frame * kFrame; }
  bool ends_commit(std::size_t frame) const { return log_.substr(place(frame) + 4, 4) != std::string(4, '\0'); }
  // The last frame of the n-th commit from the end.
  std::size_t commit_from_end(std::size_t n) const {
    for (auto frame = frames(); frame-- > 0;)
      if (ends_commit(frame) && n-- == 0) return frame;
    throw std::runtime_error("there are fewer commits");
  }

  Result<void> check(const std::string& log) {
    write_file(dir_.path() / "log", log);
    return check_wal(dir_.path() / "log");
  }
  std::string flipped(std::size_t byte) const {
    std::string log = log_;
    log[byte] = static_cast<char>(log[byte] ^ 0x10);
    return log;
  }

  TempDir dir_;
  std::string log_;
};

TEST_F(WalCheck, MissingAndEmptyLogsAreGood) {
  EXPECT_TRUE(check_wal(dir_.path() / "nothing"));
  EXPECT_TRUE(check(""));
  EXPECT_TRUE(check(log_.substr(0, kHeader)));
}

TEST_F(WalCheck, WholeLogIsGood) {
  ASSERT_GT(frames(), 10U);
  EXPECT_TRUE(check(log_));
}

TEST_F(WalCheck, TornLastTransactionIsGood) {
  const auto last = commit_from_end(1) + 1;
  for (auto frame = last; frame < frames(); ++frame) {
    EXPECT_TRUE(check(log_.substr(0, place(frame) + 100))) << "cut in frame " << frame;
    EXPECT_TRUE(check(flipped(place(frame) + 2000))) << "page of frame " << frame;
    EXPECT_TRUE(check(flipped(place(frame) + 10))) << "salt of frame " << frame;
  }
}

TEST_F(WalCheck, FramesOfAnEarlierGenerationAreIgnored) {
  std::string log = log_;
  for (auto frame = commit_from_end(3) + 1; frame < frames(); ++frame) log[place(frame) + 8] ^= 0x55;
  EXPECT_TRUE(check(log));
}

TEST_F(WalCheck, DamageInAnEarlierTransactionIsFound) {
  const auto last = commit_from_end(1);
  for (std::size_t frame = 0; frame <= last; ++frame) {
    for (const auto byte : {std::size_t{0}, std::size_t{9}, std::size_t{17}, std::size_t{24}, std::size_t{4000}}) {
      // Without its salt, the end of a commit looks like an old frame. The note reveals that it was acknowledged
      // (damage_test.cc).
      if (frame == last && byte == 9) continue;
      const auto found = check(flipped(place(frame) + byte));
      ASSERT_FALSE(found) << "frame " << frame << " byte " << byte;
      EXPECT_EQ(found.error().code, ErrorCode::corrupt);
      EXPECT_THAT(found.error().message, ::testing::HasSubstr(fmt::format("frame {} of", frame + 1)));
    }
  }
}

TEST_F(WalCheck, DamagedHeaderIsFound) {
  for (std::size_t byte = 0; byte < kHeader; ++byte) EXPECT_FALSE(check(flipped(byte))) << "byte " << byte;
}

TEST_F(WalCheck, AnyBytesAreSurvived) {
  Random random(4);
  for (int round = 0; round < 2000; ++round) {
    std::string log = log_.substr(0, random.below(3 * kFrame));
    for (auto n = random.below(8); n > 0 && !log.empty(); --n)
      log[random.below(log.size())] = static_cast<char>(random.next());
    const auto result = check(log);
    if (!result) {
      EXPECT_EQ(result.error().code, ErrorCode::corrupt);
    }
  }
}

}  // namespace
}  // namespace ym::sqlite
