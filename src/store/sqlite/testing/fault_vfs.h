// A SQLite file system that fails when a test says so. Tests only.
#pragma once

#include <sqlite3.h>

#include <string>

namespace ym::sqlite {

// Passes everything on to the default one. One thread; registered while it lives.
class FaultVfs {
 public:
  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  const std::string& name() const { return name_; }

  // The n-th write (or flush) from now on fails, and all after it; 0 is the next one,
  // and none fails if it is negative. Counts from here.
  void fail_writes(int after, int code) { writes_ = {.after = after, .code = code}; }
  void fail_syncs(int after, int code) { syncs_ = {.after = after, .code = code}; }
  void heal() { writes_ = syncs_ = {}; }
  bool fired() const { return writes_.fired || syncs_.fired; }

  struct Fault {
    int after = -1;
    int code = SQLITE_OK;
    bool fired = false;
    int seen = 0;
    int next();
  };
  Fault& writes() { return writes_; }
  Fault& syncs() { return syncs_; }

 private:
  std::string name_ = "ym-fault";
  sqlite3_vfs vfs_{};
  Fault writes_, syncs_;
};

}  // namespace ym::sqlite
