// FaultVfs itself: it forwards the calls that should not fail.
#include "store/sqlite/testing/fault_vfs.h"

#include "store/sqlite/files/passing_file.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

FaultVfs& vfs_of(sqlite3_file* file) { return *static_cast<FaultVfs*>(passing_file(file).owner); }

sqlite3_io_methods failing_methods() {
  auto methods = passing_methods();
  methods.xWrite = [](sqlite3_file* f, const void* from, int n, sqlite3_int64 at) {
    if (const int code = vfs_of(f).writes().next(); code != SQLITE_OK) return code;
    return real_methods(f).xWrite(real_file(f), from, n, at);
  };
  methods.xSync = [](sqlite3_file* f, int flags) {
    if (const int code = vfs_of(f).syncs().next(); code != SQLITE_OK) return code;
    return real_methods(f).xSync(real_file(f), flags);
  };
  return methods;
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  static const sqlite3_io_methods kMethods = failing_methods();
  return open_passing(vfs->pAppData, kMethods, name, file, flags, out_flags);
}

TEST(FaultVfs, PassesOnUntilItIsToldToFail) {
  FaultVfs vfs;
  const TempDir dir;
  const auto store = must(open_sqlite_store(dir.state(), {.vfs = vfs.name()}));
  EXPECT_TRUE(store->commit({.tokens = {{"aa", "ann", "admin", {}}}}));
  EXPECT_FALSE(vfs.fired());
  vfs.fail_writes(0, SQLITE_FULL);
  EXPECT_FALSE(store->commit({.tokens = {{"bb", "bob", "admin", {}}}}));
  EXPECT_TRUE(vfs.fired());
  vfs.heal();
  EXPECT_EQ(must(store->load()).tokens.size(), 1U);
}

}  // namespace

int FaultVfs::Fault::next() {
  ++seen;
  if (after < 0) return SQLITE_OK;
  if (after-- > 0) return SQLITE_OK;
  after = 0;  // goes on failing
  fired = true;
  return code;
}

FaultVfs::FaultVfs() {
  vfs_ = *default_vfs();
  vfs_.szOsFile += static_cast<int>(sizeof(PassingFile));
  vfs_.zName = name_.c_str();
  vfs_.pNext = nullptr;
  vfs_.pAppData = this;
  vfs_.xOpen = open;
  sqlite3_vfs_register(&vfs_, 0);
}

FaultVfs::~FaultVfs() { sqlite3_vfs_unregister(&vfs_); }

}  // namespace ym::sqlite
