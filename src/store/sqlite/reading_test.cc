// States on read-only file systems: a server can look at them and changes nothing.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include <set>

#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Makes a folder read-only until it goes out of scope.
class Frozen {
 public:
  explicit Frozen(fs::path folder) : folder_(std::move(folder)) {
    mounted_ = ::mount(folder_.c_str(), folder_.c_str(), nullptr, MS_BIND, nullptr) == 0;
    if (mounted_ && ::mount(nullptr, folder_.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0) thaw();
    if (!mounted_) fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  }
  ~Frozen() {
    if (mounted_) thaw();
    else fs::permissions(folder_, fs::perms::owner_all);
  }
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;

  bool is_writable() const { return ::access(folder_.c_str(), W_OK) == 0; }

 private:
  void thaw() { mounted_ = ::umount(folder_.c_str()) != 0; }

  fs::path folder_;
  bool mounted_ = false;
};

class ReadOnly : public ::testing::Test {
 protected:
  // Reads the state. Nothing is left in the folder.
  void expect_seen() const {
    std::set<fs::path> before, after;
    for (const auto& entry : fs::directory_iterator(copy_)) before.insert(entry.path());
    const Frozen frozen(copy_);
    if (frozen.is_writable()) GTEST_SKIP() << "this process can make no folder read-only for itself";
    EXPECT_THAT(copy_of(copy_).value_or("none"), HasSubstr(dir_.state().string()));
    const auto held = hold_copy(copy_);
    ASSERT_TRUE(held) << held.error().message;
    const auto seen = read_sqlite_state(copy_);
    ASSERT_TRUE(seen) << seen.error().message;
    EXPECT_EQ(seen->tables, testing::unfinished(history_.tables()));
    EXPECT_EQ(must(must(open_sqlite_history(copy_))->events({}, 1000)), history_.events());
    for (const auto& entry : fs::directory_iterator(copy_)) after.insert(entry.path());
    EXPECT_EQ(after, before);
  }
  void copy_state() const { fs::copy(dir_.state(), copy_, fs::copy_options::recursive); }

  TempDir dir_;
  fs::path copy_ = dir_.path() / "snapshot 100%?#";
  testing::RandomHistory history_{35};
};

TEST_F(ReadOnly, OfAServerThatHadStopped) {
  grow(*must_open(dir_), history_, 60);
  copy_state();
  expect_seen();
}

TEST_F(ReadOnly, OfAServerThatRan) {
  const auto store = must_open(dir_);
  grow(*store, history_, 60);
  copy_state();
  ASSERT_GT(fs::file_size(copy_ / "yardmaster.db-wal"), 0U);
  expect_seen();
}

// The commits in the log would be missing. No state is better than an incomplete one.
TEST_F(ReadOnly, WithALogThatHasNoIndexIsNotRead) {
  const auto store = must_open(dir_);
  grow(*store, history_, 60);
  copy_state();
  fs::remove(copy_ / "yardmaster.db-shm");
  const Frozen frozen(copy_);
  if (frozen.is_writable()) GTEST_SKIP() << "this process can make no folder read-only for itself";
  EXPECT_EQ(read_sqlite_state(copy_).error().code, ErrorCode::io);
}

TEST_F(ReadOnly, ThatIsServedIsNotLookedAt) {
  const auto store = must_open(dir_);
  const Frozen frozen(dir_.state());
  if (frozen.is_writable()) GTEST_SKIP() << "this process can make no folder read-only for itself";
  EXPECT_THAT(hold_copy(dir_.state()).error().message, HasSubstr("running"));
}

}  // namespace
}  // namespace ym::sqlite
