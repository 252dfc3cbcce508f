#include "store/sqlite/files/log_vfs.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "base/assert.h"
#include "store/sqlite/files/passing_file.h"

namespace ym::sqlite {
namespace {

constexpr std::size_t kMostHeld = std::size_t{64} << 10;  // SQLite's unix file system writes less than 128 KiB at once

struct Held {
  std::vector<char> bytes;
  sqlite3_int64 at = 0;

  sqlite3_int64 end() const { return at + std::ssize(bytes); }
};

Held& held(sqlite3_file* file) { return *static_cast<Held*>(passing_file(file).owner); }

int write_held(sqlite3_file* file) {
  auto& wait = held(file);
  if (wait.bytes.empty()) return SQLITE_OK;
  const int code =
      real_methods(file).xWrite(real_file(file), wait.bytes.data(), static_cast<int>(wait.bytes.size()), wait.at);
  wait.bytes.clear();
  return code;
}

template <class Call>
int after_held(sqlite3_file* file, Call call) {
  const int code = write_held(file);
  return code == SQLITE_OK ? call(real_file(file)) : code;
}

int write(sqlite3_file* file, const void* from, int n, sqlite3_int64 at) {
  auto& wait = held(file);
  if (wait.end() != at || wait.bytes.size() + static_cast<std::size_t>(n) > kMostHeld)
    if (const int code = write_held(file); code != SQLITE_OK) return code;
  if (wait.bytes.empty()) wait.at = at;
  const auto* bytes = static_cast<const char*>(from);
  wait.bytes.insert(wait.bytes.end(), bytes, bytes + n);
  return SQLITE_OK;
}

// Drops held bytes. They belong to a commit that was not flushed, so it was not acknowledged.
int close(sqlite3_file* file) {
  delete &held(file);
  return real_methods(file).xClose(real_file(file));
}

sqlite3_io_methods log_methods() {
  using F = sqlite3_file*;
  auto methods = passing_methods();
  methods.xWrite = write;
  methods.xClose = close;
  methods.xRead = [](F f, void* to, int n, sqlite3_int64 at) {
    return after_held(f, [&](F real) { return real->pMethods->xRead(real, to, n, at); });
  };
  methods.xTruncate = [](F f, sqlite3_int64 size) {
    return after_held(f, [&](F real) { return real->pMethods->xTruncate(real, size); });
  };
  methods.xSync = [](F f, int flags) {
    return after_held(f, [&](F real) { return real->pMethods->xSync(real, flags); });
  };
  methods.xFileSize = [](F f, sqlite3_int64* size) {
    return after_held(f, [&](F real) { return real->pMethods->xFileSize(real, size); });
  };
  return methods;
}

bool is_powersafe(sqlite3_file* file) {
  return (real_methods(file).xDeviceCharacteristics(real_file(file)) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) != 0;
}

}  // namespace

int LogVfs::open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  static const sqlite3_io_methods kMethods = log_methods(), kPassing = passing_methods();
  auto* const base = reinterpret_cast<Registered*>(vfs)->base;
  if ((flags & SQLITE_OPEN_WAL) == 0) return base->xOpen(base, name, file, flags, out_flags);
  auto wait = std::make_unique<Held>();
  wait->bytes.reserve(kMostHeld);
  const int code = open_passing(wait.get(), kMethods, name, file, flags, out_flags, base);
  if (!file->pMethods) return code;
  if (is_powersafe(file)) static_cast<void>(wait.release());
  else file->pMethods = &kPassing;
  return code;
}

LogVfs::LogVfs(const std::string& base) : name_(fmt::format("ym-log-{}", fmt::ptr(this))) {
  registered_.base = sqlite3_vfs_find(base.empty() ? nullptr : base.c_str());
  YM_ASSERT(registered_.base);
  // The other functions of the base find what they expect: only the name, the size of a file and xOpen differ.
  registered_.vfs = *registered_.base;
  registered_.vfs.szOsFile += static_cast<int>(sizeof(PassingFile));
  registered_.vfs.zName = name_.c_str();
  registered_.vfs.pNext = nullptr;
  registered_.vfs.xOpen = open;
  sqlite3_vfs_register(&registered_.vfs, 0);
}

LogVfs::~LogVfs() { sqlite3_vfs_unregister(&registered_.vfs); }

}  // namespace ym::sqlite
