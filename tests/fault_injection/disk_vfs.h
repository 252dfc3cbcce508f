// A file system for SQLite that records unflushed writes.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace ym::sim {

// The content of a file that is certainly on the disk, and the later writes, in order.
struct Unflushed {
  struct Write {
    std::int64_t offset = 0;
    std::string bytes;
    bool truncates = false;  // to `offset`
  };
  std::string flushed;
  std::vector<Write> writes;

  void flush();
  // The content after a power loss: any part of the unflushed writes, torn at any sector.
  std::string after_power_loss(Random& random) const;
};

// Forwards all calls to the default file system, except flushes. Registered while it exists; one at a time.
class DiskVfs {
 public:
  DiskVfs();
  ~DiskVfs();
  DiskVfs(const DiskVfs&) = delete;
  DiskVfs& operator=(const DiskVfs&) = delete;

  static constexpr const char* kName = "ym-fault-run";

  std::map<std::string, Unflushed>& files() { return files_; }

  // Writes fail from the n-th on, counted from now and from 0, until heal().
  void fail_writes(int after, int code) { fails_after_ = after, fails_with_ = code; }
  void heal() { fails_after_ = -1; }
  void lie_about_flushes() { lies_ = true; }
  bool lies() const { return lies_; }

  // --- called by the files that it opens
  int next_write();
  void written(const std::string& path, std::int64_t offset, std::string bytes);
  void truncated(const std::string& path, std::int64_t size);
  void flushed(const std::string& path);

 private:
  sqlite3_vfs vfs_{};
  std::map<std::string, Unflushed> files_;
  int fails_after_ = -1, fails_with_ = SQLITE_OK;
  bool lies_ = false;
};

}  // namespace ym::sim
