#include "fault_injection/disk.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <array>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/assert.h"
#include "fault_injection/disk_vfs.h"

namespace ym::sim {
namespace {

namespace fs = std::filesystem;

// The marker of older versions: a directory with it counts as an original. A disk after a fault is an original, too.
constexpr std::string_view kMarker = "yardmaster.state";
constexpr std::string_view kMarkerOfAnOriginal = "This folder holds the state of a Yardmaster server.\n";

constexpr std::array kInDatabase{"yardmaster.db", "yardmaster.db-wal"};

// In memory if possible: nothing needs to outlive the process.
fs::path make_root() {
  const fs::path parent = fs::is_directory("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
  std::string name = (parent / "ym-fault-run-XXXXXX").string();
  YM_ASSERT(::mkdtemp(name.data()) != nullptr);
  return name;
}

void replace(const fs::path& file, std::string_view content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

// Copies all files except files that only running processes share. The copy takes the place of the original.
void copy_files(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  if (!fs::exists(from)) return;
  for (const auto& entry : fs::directory_iterator(from)) {
    const auto name = entry.path().filename().string();
    if (name == kMarker) replace(to / name, kMarkerOfAnOriginal);
    else if (name != "lock" && !name.ends_with("-shm") && entry.is_regular_file())
      fs::copy_file(entry.path(), to / name);
  }
}

}  // namespace

struct Disk::Vfs {
  DiskVfs disk;
};

Disk::Disk() : root_(make_root()), vfs_(std::make_unique<Vfs>()) {}

Disk::~Disk() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

fs::path Disk::state_dir() const { return root_ / fmt::format("state-{}", generation_); }

Result<std::unique_ptr<Store>> Disk::open() const {
  return open_sqlite_store(state_dir(), {.receipts = root_ / "receipts", .vfs = DiskVfs::kName});
}

Result<std::unique_ptr<Store>> Disk::open_copy(const fs::path& copy) const {
  return open_sqlite_store(copy, {.receipts = {}});
}

fs::path Disk::copy() const {
  const fs::path to = root_ / "copy";
  fs::remove_all(to);
  copy_files(state_dir(), to);
  return to;
}

void Disk::next_generation() {
  const fs::path before = state_dir();
  generation_ += 1;
  copy_files(before, state_dir());
}

void Disk::server_was_killed() {
  next_generation();
  vfs_->disk.files().clear();
}

void Disk::power_was_lost(Random& random) {
  const fs::path before = state_dir();
  next_generation();
  for (const auto* name : kInDatabase) {
    const auto it = vfs_->disk.files().find((before / name).string());
    if (it != vfs_->disk.files().end())
      replace(state_dir() / name, vfs_->disk.lies() ? it->second.flushed : it->second.after_power_loss(random));
  }
  // Never flushed, so it may be arbitrarily old.
  if (random.below(2) == 0) fs::remove(state_dir() / "acknowledged");
  vfs_->disk.files().clear();
}

void Disk::fail_writes(int after, bool is_full) {
  vfs_->disk.fail_writes(after, is_full ? SQLITE_FULL : SQLITE_IOERR_WRITE);
}

void Disk::heal() { vfs_->disk.heal(); }

void Disk::lie_about_flushes() { vfs_->disk.lie_about_flushes(); }

}  // namespace ym::sim
