#include "sim/worlds/disk_vfs.h"

#include <algorithm>
#include <fstream>
#include <new>
#include <utility>

#include "base/assert.h"

namespace ym::sim {
namespace {

constexpr std::size_t kSector = 512;

// What SQLite allocates for a file: this, and behind it the real file system's part.
struct File {
  sqlite3_file base;
  DiskVfs* vfs;
  const char* path;  // SQLite keeps it for as long as the file is open; null: a temporary one
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
sqlite3_file* real(sqlite3_file* file) { return of(file).real(); }
const sqlite3_io_methods& methods(sqlite3_file* file) { return *real(file)->pMethods; }

int close(sqlite3_file* f) { return methods(f).xClose(real(f)); }
int read(sqlite3_file* f, void* to, int n, sqlite3_int64 at) { return methods(f).xRead(real(f), to, n, at); }
int write(sqlite3_file* f, const void* from, int n, sqlite3_int64 at) {
  File& file = of(f);
  if (const int code = file.vfs->next_write(); code != SQLITE_OK) return code;
  const int done = methods(f).xWrite(real(f), from, n, at);
  if (done == SQLITE_OK && file.path)
    file.vfs->written(file.path, at, {static_cast<const char*>(from), static_cast<std::size_t>(n)});
  return done;
}
int truncate(sqlite3_file* f, sqlite3_int64 size) {
  const int done = methods(f).xTruncate(real(f), size);
  if (done == SQLITE_OK && of(f).path) of(f).vfs->truncated(of(f).path, size);
  return done;
}
// Nothing is flushed in truth: only this process has to find it again.
int sync(sqlite3_file* f, int) {
  if (of(f).path) of(f).vfs->flushed(of(f).path);
  return SQLITE_OK;
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

sqlite3_vfs* fallback() { return sqlite3_vfs_find("unix"); }

std::string content_of(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* disk = static_cast<DiskVfs*>(vfs->pAppData);
  auto* self = new (file) File{.base = {.pMethods = nullptr}, .vfs = disk, .path = name};
  // What was there before is on the disk: it was flushed, or it survived.
  if (name && !disk->files().contains(name)) disk->files()[name].flushed = content_of(name);
  const int code = fallback()->xOpen(fallback(), name, self->real(), flags, out_flags);
  if (self->real()->pMethods) self->base.pMethods = &kMethods;
  return code;
}

int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
  static_cast<DiskVfs*>(vfs->pAppData)->files().erase(name);
  return fallback()->xDelete(fallback(), name, sync_folder);
}

// The same numbers in every run: they become the salt of a write-ahead log.
int same_numbers(sqlite3_vfs*, int count, char* out) {
  Random random(1);
  std::generate_n(out, count, [&] { return static_cast<char>(random.next()); });
  return count;
}

void put(std::string& content, const Unflushed::Write& write) {
  const auto offset = static_cast<std::size_t>(write.offset);
  if (write.truncates) return content.resize(offset);
  if (content.size() < offset + write.bytes.size()) content.resize(offset + write.bytes.size());
  content.replace(offset, write.bytes.size(), write.bytes);
}

}  // namespace

void Unflushed::flush() {
  for (const Write& write : writes) put(flushed, write);
  writes.clear();
}

std::string Unflushed::after_power_loss(Random& random) const {
  std::string content = flushed;
  for (Write write : writes) {
    const auto fate = random.below(4);
    if (fate == 0) continue;
    if (fate == 1) write.bytes.resize(random.below(write.bytes.size() / kSector + 1) * kSector);
    put(content, write);
  }
  return content;
}

DiskVfs::DiskVfs() {
  YM_ASSERT(sqlite3_vfs_find(kName) == nullptr);
  vfs_ = *fallback();
  vfs_.szOsFile += static_cast<int>(sizeof(File));
  vfs_.zName = kName;
  vfs_.pNext = nullptr;
  vfs_.pAppData = this;
  vfs_.xOpen = open;
  vfs_.xDelete = remove;
  vfs_.xRandomness = same_numbers;
  sqlite3_vfs_register(&vfs_, 0);
}

DiskVfs::~DiskVfs() { sqlite3_vfs_unregister(&vfs_); }

int DiskVfs::next_write() {
  if (fails_after_ < 0) return SQLITE_OK;
  return fails_after_-- > 0 ? SQLITE_OK : (fails_after_ = 0, fails_with_);
}

void DiskVfs::written(const std::string& path, std::int64_t offset, std::string bytes) {
  files_[path].writes.push_back({.offset = offset, .bytes = std::move(bytes)});
}

void DiskVfs::truncated(const std::string& path, std::int64_t size) {
  files_[path].writes.push_back({.offset = size, .bytes = {}, .truncates = true});
}

void DiskVfs::flushed(const std::string& path) {
  if (!lies_) files_[path].flush();
}

}  // namespace ym::sim
