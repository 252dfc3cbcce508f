// LogVfs: a file system for SQLite that writes what a commit adds to the write-ahead log in one call.
//
// SQLite writes each page of a commit, and the page's header, in a call of its own: a dozen calls instead of one.
// LogVfs holds consecutive writes to the log. It writes them when SQLite flushes, reads or truncates the log, asks for
// its size, or writes at another place, and before they exceed 64 KiB. Closing the log drops them.
// Users of the log notice no difference: a commit is acknowledged after its flush (synchronous=FULL), and readers do
// not see it before. If a held write fails, the call that caused it returns the error, and the bytes are lost. The
// transaction must be rolled back then; the store does that. Precondition: cache_spill=OFF, so that held bytes belong
// to the commit that is being written, and never to a transaction that was rolled back.
//
// All other files and calls go to the base file system. The log does, too, on a disk where a write may damage the rest
// of its sector (no SQLITE_IOCAP_POWERSAFE_OVERWRITE): SQLite flushes in the middle of a commit there.
#pragma once

#include <sqlite3.h>

#include <string>

namespace ym::sqlite {

class LogVfs {
 public:
  // `base`: the name of the base file system; empty: SQLite's default. It must stay registered as long as this object
  // exists. This one is registered for its own lifetime. It must outlive the databases that are opened with its name.
  explicit LogVfs(const std::string& base);
  ~LogVfs();
  LogVfs(const LogVfs&) = delete;
  LogVfs& operator=(const LogVfs&) = delete;

  const std::string& name() const { return name_; }

 private:
  // What SQLite gets. The static functions find `base` from it.
  struct Registered {
    sqlite3_vfs vfs{};
    sqlite3_vfs* base = nullptr;
  };
  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags);

  std::string name_;
  Registered registered_;
};

}  // namespace ym::sqlite
