// Disk: a state directory on a disk; the fault-injection run decides what survives.
//
// The files are real, in a temporary folder. SQLite writes them through a VFS that records unflushed writes. A killed
// server leaves everything that it wrote. After a power loss any part of the unflushed writes may be there, torn at any
// sector. After a crash the directory has another path, so that open handles of the dead server do no harm.
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
  // Opens the store in the present directory.
  Result<std::unique_ptr<Store>> open() const;
  // Opens a copy of the state, as a server's start would.
  Result<std::unique_ptr<Store>> open_copy(const std::filesystem::path& copy) const;
  std::filesystem::path copy() const;

  // Call these while the server's handles are open: closing them would tidy up.
  void server_was_killed();
  void power_was_lost(Random& random);

  // Writes fail from the n-th on, until heal().
  void fail_writes(int after, bool is_full);
  void heal();
  // From now on flushes have no effect (Canary::disk_lies).
  void lie_about_flushes();

 private:
  void next_generation();

  struct Vfs;
  std::filesystem::path root_;
  int generation_ = 0;
  std::unique_ptr<Vfs> vfs_;
};

}  // namespace ym::sim
