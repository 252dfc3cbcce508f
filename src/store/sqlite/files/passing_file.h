// A file of a SQLite file system that forwards calls to another file system, except calls that its owner handles.
#pragma once

#include <sqlite3.h>

#include <new>

namespace ym::sqlite {

// The memory that SQLite allocates for a file: this struct, then the real file system's part (szOsFile is larger by
// this struct).
struct PassingFile {
  sqlite3_file base;
  void* owner;
  const char* path;  // SQLite keeps the text while the file is open; null: a temporary file
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

inline sqlite3_vfs* default_vfs() { return sqlite3_vfs_find("unix"); }
inline PassingFile& passing_file(sqlite3_file* file) { return *reinterpret_cast<PassingFile*>(file); }
inline sqlite3_file* real_file(sqlite3_file* file) { return passing_file(file).real(); }
inline const sqlite3_io_methods& real_methods(sqlite3_file* file) { return *real_file(file)->pMethods; }

// Opens the real file in `base`. `methods` must outlive it.
inline int open_passing(void* owner, const sqlite3_io_methods& methods, const char* name, sqlite3_file* file, int flags,
                        int* out_flags, sqlite3_vfs* base = default_vfs()) {
  auto* self = new (file) PassingFile{.base = {.pMethods = nullptr}, .owner = owner, .path = name};
  const int code = base->xOpen(base, name, self->real(), flags, out_flags);
  if (self->real()->pMethods) self->base.pMethods = &methods;
  return code;
}

// All methods forward. An owner replaces the methods that it handles.
inline sqlite3_io_methods passing_methods() {
  using F = sqlite3_file*;
  return {
      .iVersion = 2,
      .xClose = [](F f) { return real_methods(f).xClose(real_file(f)); },
      .xRead = [](F f, void* to, int n, sqlite3_int64 at) { return real_methods(f).xRead(real_file(f), to, n, at); },
      .xWrite = [](F f, const void* from, int n,
                   sqlite3_int64 at) { return real_methods(f).xWrite(real_file(f), from, n, at); },
      .xTruncate = [](F f, sqlite3_int64 size) { return real_methods(f).xTruncate(real_file(f), size); },
      .xSync = [](F f, int flags) { return real_methods(f).xSync(real_file(f), flags); },
      .xFileSize = [](F f, sqlite3_int64* size) { return real_methods(f).xFileSize(real_file(f), size); },
      .xLock = [](F f, int level) { return real_methods(f).xLock(real_file(f), level); },
      .xUnlock = [](F f, int level) { return real_methods(f).xUnlock(real_file(f), level); },
      .xCheckReservedLock = [](F f, int* held) { return real_methods(f).xCheckReservedLock(real_file(f), held); },
      .xFileControl = [](F f, int op, void* arg) { return real_methods(f).xFileControl(real_file(f), op, arg); },
      .xSectorSize = [](F f) { return real_methods(f).xSectorSize(real_file(f)); },
      .xDeviceCharacteristics = [](F f) { return real_methods(f).xDeviceCharacteristics(real_file(f)); },
      .xShmMap = [](F f, int page, int size, int extend,
                    void volatile** at) { return real_methods(f).xShmMap(real_file(f), page, size, extend, at); },
      .xShmLock = [](F f, int offset, int n,
                     int flags) { return real_methods(f).xShmLock(real_file(f), offset, n, flags); },
      .xShmBarrier = [](F f) { real_methods(f).xShmBarrier(real_file(f)); },
      .xShmUnmap = [](F f, int remove) { return real_methods(f).xShmUnmap(real_file(f), remove); },
      .xFetch = nullptr,
      .xUnfetch = nullptr,
  };
}

}  // namespace ym::sqlite
