// FaultVfs, and that it passes on what it should.
#include "store/sqlite/fault_vfs.h"

#include <new>

#include "store/sqlite/test_support.h"

namespace ym::sqlite {
namespace {

// What SQLite allocates for a file: this, and behind it the real file system's part.
struct File {
  sqlite3_file base;
  FaultVfs* vfs;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
sqlite3_file* real(sqlite3_file* file) { return of(file).real(); }
const sqlite3_io_methods& methods(sqlite3_file* file) { return *real(file)->pMethods; }

int close(sqlite3_file* f) { return methods(f).xClose(real(f)); }
int read(sqlite3_file* f, void* to, int n, sqlite3_int64 at) { return methods(f).xRead(real(f), to, n, at); }
int write(sqlite3_file* f, const void* from, int n, sqlite3_int64 at) {
  if (const int code = of(f).vfs->writes().next(); code != SQLITE_OK) return code;
  return methods(f).xWrite(real(f), from, n, at);
}
int truncate(sqlite3_file* f, sqlite3_int64 size) { return methods(f).xTruncate(real(f), size); }
int sync(sqlite3_file* f, int flags) {
  if (const int code = of(f).vfs->syncs().next(); code != SQLITE_OK) return code;
  return methods(f).xSync(real(f), flags);
}
int file_size(sqlite3_file* f, sqlite3_int64* size) { return methods(f).xFileSize(real(f), size); }
int lock(sqlite3_file* f, int level) { return methods(f).xLock(real(f), level); }
int unlock(sqlite3_file* f, int level) { return methods(f).xUnlock(real(f), level); }
int check_lock(sqlite3_file* f, int* held) { return methods(f).xCheckReservedLock(real(f), held); }
int control(sqlite3_file* f, int op, void* arg) { return methods(f).xFileControl(real(f), op, arg); }
int sector_size(sqlite3_file* f) { return methods(f).xSectorSize(real(f)); }
int characteristics(sqlite3_file* f) { return methods(f).xDeviceCharacteristics(real(f)); }
int shm_map(sqlite3_file* f, int page, int size, int extend, void volatile** at) {
  return methods(f).xShmMap(real(f), page, size, extend, at);
}
int shm_lock(sqlite3_file* f, int offset, int n, int flags) { return methods(f).xShmLock(real(f), offset, n, flags); }
void shm_barrier(sqlite3_file* f) { methods(f).xShmBarrier(real(f)); }
int shm_unmap(sqlite3_file* f, int remove) { return methods(f).xShmUnmap(real(f), remove); }

const sqlite3_io_methods kMethods{
    .iVersion = 2,
    .xClose = close,
    .xRead = read,
    .xWrite = write,
    .xTruncate = truncate,
    .xSync = sync,
    .xFileSize = file_size,
    .xLock = lock,
    .xUnlock = unlock,
    .xCheckReservedLock = check_lock,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  sqlite3_vfs* fallback = sqlite3_vfs_find(nullptr);
  auto* self = new (file) File{.base = {.pMethods = nullptr}, .vfs = static_cast<FaultVfs*>(vfs->pAppData)};
  const int code = fallback->xOpen(fallback, name, self->real(), flags, out_flags);
  if (self->real()->pMethods) self->base.pMethods = &kMethods;
  return code;
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
  vfs_ = *sqlite3_vfs_find(nullptr);
  vfs_.szOsFile += static_cast<int>(sizeof(File));
  vfs_.zName = name_.c_str();
  vfs_.pNext = nullptr;
  vfs_.pAppData = this;
  vfs_.xOpen = open;
  sqlite3_vfs_register(&vfs_, 0);
}

FaultVfs::~FaultVfs() { sqlite3_vfs_unregister(&vfs_); }

}  // namespace ym::sqlite
