// Disk: a state directory on a disk of which the world decides what survives.
//
// The files are real, below a temporary folder; SQLite writes them through a VFS that remembers what was not flushed. A
// server that is killed leaves what it wrote; when the power goes, of what was not flushed any part may be there, torn
// at any sector. After a crash the directory is another one: handles of the dead server can do no harm.
//
// Threads: one. One disk at a time in a process.
#pragma once

#include <filesystem>
#include <memory>

#include "base/random.h"
#include "store/sqlite/sqlite_store.h"

namespace ym::sim {

class Disk {
 public:
  Disk();
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  std::filesystem::path state_dir() const;
  // The store of the present directory.
  Result<std::unique_ptr<Store>> open() const;
  // Of a copy of it, as it would be if a server began on it.
  Result<std::unique_ptr<Store>> open_copy(const std::filesystem::path& copy) const;
  std::filesystem::path copy() const;

  // To be called while the server's handles are open, which would tidy when they close.
  void server_was_killed();
  void power_was_lost(Random& random);

  // From the n-th write on, until it heals.
  void fail_writes(int after, bool is_full);
  void heal();
  // From now on nothing is really flushed (Canary::disk_lies).
  void lie_about_flushes();

 private:
  void next_generation();

  struct Vfs;
  std::filesystem::path root_;
  int generation_ = 0;
  std::unique_ptr<Vfs> vfs_;
};

}  // namespace ym::sim
