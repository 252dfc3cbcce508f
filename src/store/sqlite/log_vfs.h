// LogVfs: a file system for SQLite on which what a commit adds to the write-ahead log is written by one call.
//
// SQLite writes each page of a commit and the page's header by themselves, a dozen calls where one would do. Writes to
// the log that follow upon one another are held until it is flushed, read, cut or closed, or until they are 64 KiB.
// Nothing changes for who relies on it: a commit is acknowledged after its flush (synchronous=FULL), and no reader is
// told of it before. What goes wrong with a held write is the answer of the call that it is held for, and the bytes are
// gone: the transaction has to be rolled back then, as the store does. Precondition: cache_spill=OFF, so that what is
// held is of the commit that is being written and of nothing that was rolled back.
//
// All other files, and all other calls, are those of another file system; so is the log where a write may damage what
// stands beside it in a sector (no SQLITE_IOCAP_POWERSAFE_OVERWRITE), as SQLite flushes in the middle of a commit
// there.
#pragma once

#include <sqlite3.h>

#include <string>

namespace ym::sqlite {

class LogVfs {
 public:
  // Upon that of the name `base`; empty: SQLite's default. Precondition: it is registered for as long as this is, which
  // is as long as this lives. Outlives the databases that are opened by its name.
  explicit LogVfs(const std::string& base);
  ~LogVfs();
  LogVfs(const LogVfs&) = delete;
  LogVfs& operator=(const LogVfs&) = delete;

  const std::string& name() const { return name_; }

 private:
  // As SQLite has it, and found again from it.
  struct Registered {
    sqlite3_vfs vfs{};
    sqlite3_vfs* base = nullptr;
  };
  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out_flags);

  std::string name_;
  Registered registered_;
};

}  // namespace ym::sqlite
