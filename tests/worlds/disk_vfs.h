// A file system for SQLite that remembers what was written and not flushed.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace ym::sim {

// What is on the disk of a file for sure, and what came after, in order.
struct Unflushed {
  struct Write {
    std::int64_t offset = 0;
    std::string bytes;
    bool truncates = false;  // to `offset`
  };
  std::string flushed;
  std::vector<Write> writes;

  void flush();
  // Of what was not flushed any part, torn at any sector.
  std::string after_power_loss(Random& random) const;
};

// Passes everything on to the default one, but flushes. Registered while it lives; one at a time.
class DiskVfs {
 public:
  DiskVfs();
  ~DiskVfs();
  DiskVfs(const DiskVfs&) = delete;
  DiskVfs& operator=(const DiskVfs&) = delete;

  static constexpr const char* kName = "ym-world";

  std::map<std::string, Unflushed>& files() { return files_; }

  // From the n-th write from now on, 0 being the next, until it heals.
  void fail_writes(int after, int code) { fails_after_ = after, fails_with_ = code; }
  void heal() { fails_after_ = -1; }
  void lie_about_flushes() { lies_ = true; }
  bool lies() const { return lies_; }

  // --- for the files that it opens
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
