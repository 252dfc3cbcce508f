#include "fault_injection/disk_vfs.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "base/assert.h"
#include "store/sqlite/files/passing_file.h"

namespace ym::sim {
namespace {

constexpr std::size_t kSector = 512;
constexpr std::size_t kPage = 4096;  // each page of a write reaches the disk or not on its own

using namespace sqlite;

DiskVfs& disk_of(sqlite3_file* file) { return *static_cast<DiskVfs*>(passing_file(file).owner); }

sqlite3_io_methods remembering_methods() {
  auto methods = passing_methods();
  methods.xWrite = [](sqlite3_file* f, const void* from, int n, sqlite3_int64 at) {
    if (const int code = disk_of(f).next_write(); code != SQLITE_OK) return code;
    const int done = real_methods(f).xWrite(real_file(f), from, n, at);
    if (const char* path = passing_file(f).path; done == SQLITE_OK && path)
      disk_of(f).written(path, at, {static_cast<const char*>(from), static_cast<std::size_t>(n)});
    return done;
  };
  methods.xTruncate = [](sqlite3_file* f, sqlite3_int64 size) {
    const int done = real_methods(f).xTruncate(real_file(f), size);
    if (const char* path = passing_file(f).path; done == SQLITE_OK && path) disk_of(f).truncated(path, size);
    return done;
  };
  // Nothing is really flushed: only this process must find the data again.
  methods.xSync = [](sqlite3_file* f, int) {
    if (const char* path = passing_file(f).path) disk_of(f).flushed(path);
    return SQLITE_OK;
  };
  return methods;
}

std::string content_of(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  static const sqlite3_io_methods kMethods = remembering_methods();
  auto& disk = *static_cast<DiskVfs*>(vfs->pAppData);
  // Older content is on the disk: it was flushed, or it survived.
  if (name && !disk.files().contains(name)) disk.files()[name].flushed = content_of(name);
  return open_passing(&disk, kMethods, name, file, flags, out_flags);
}

int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
  static_cast<DiskVfs*>(vfs->pAppData)->files().erase(name);
  return default_vfs()->xDelete(default_vfs(), name, sync_folder);
}

// The same numbers in every run. They become the salt of a write-ahead log.
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
    const auto outcome = random.below(4);
    if (outcome == 0) continue;
    if (outcome == 1) write.bytes.resize(random.below(write.bytes.size() / kSector + 1) * kSector);
    put(content, write);
  }
  return content;
}

DiskVfs::DiskVfs() {
  YM_ASSERT(sqlite3_vfs_find(kName) == nullptr);
  vfs_ = *default_vfs();
  vfs_.szOsFile += static_cast<int>(sizeof(PassingFile));
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
  for (std::size_t at = 0; at < bytes.size(); at += kPage)
    files_[path].writes.push_back({.offset = offset + static_cast<std::int64_t>(at), .bytes = bytes.substr(at, kPage)});
}

void DiskVfs::truncated(const std::string& path, std::int64_t size) {
  files_[path].writes.push_back({.offset = size, .bytes = {}, .truncates = true});
}

void DiskVfs::flushed(const std::string& path) {
  if (!lies_) files_[path].flush();
}

}  // namespace ym::sim
