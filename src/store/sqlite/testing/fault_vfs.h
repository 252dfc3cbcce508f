// A SQLite file system that fails when a test wants it. For tests only.
#pragma once

#include <sqlite3.h>

#include <string>

namespace ym::sqlite {

// Forwards all calls to the default file system. For one thread. It is registered while it exists.
class FaultVfs {
 public:
  FaultVfs();
  ~FaultVfs();
  FaultVfs(const FaultVfs&) = delete;
  FaultVfs& operator=(const FaultVfs&) = delete;

  const std::string& name() const { return name_; }

  // `after` writes (or flushes) succeed from now on. Then one fails, and all after it. Negative: none fails.
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
