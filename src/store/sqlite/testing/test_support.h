// Helpers of this folder's tests: temporary folders, and states to damage.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "store/rows/testing/test_support.h"
#include "store/sqlite/sqlite_store.h"

namespace ym::sqlite {

// Number of tries of a random fault: `usual`, or 20 times that in a campaign (YM_CAMPAIGN has any value).
inline int campaign(int usual) { return std::getenv("YM_CAMPAIGN") ? 20 * usual : usual; }

class TempDir {
 public:
  // In memory if possible: the tests do not measure the disk.
  TempDir() {
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK) == 0;
    std::string name = ((usable ? memory : std::filesystem::temp_directory_path()) / "ym-store-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path state() const { return path_ / "state"; }
  std::filesystem::path database() const { return state() / "yardmaster.db"; }
  SqliteOptions options() const { return {.receipts = path_ / "receipts"}; }

 private:
  std::filesystem::path path_;
};

using rows::grow;
using rows::must;

inline std::unique_ptr<Store> must_open(const TempDir& dir) {
  return must(open_sqlite_store(dir.state(), dir.options()));
}

inline std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_file(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
}

// A marker as older versions wrote it. Its directory counts as an original.
inline void write_old_marker(const std::filesystem::path& dir) {
  write_file(dir / "yardmaster.state", "This folder holds the state of a Yardmaster server.\n");
}

// Copies the files of a state directory as a SIGKILL would leave them. Precondition: its store is open and idle.
inline void copy_as_killed(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::filesystem::remove_all(to);
  std::filesystem::create_directories(to);
  for (const auto* name : {"yardmaster.db", "yardmaster.db-wal", "acknowledged"})
    if (std::filesystem::exists(from / name)) std::filesystem::copy_file(from / name, to / name);
  write_old_marker(to);
}

// All content of a store: what it loads, and every job, attempt and event.
struct Everything {
  LoadedState loaded;
  std::vector<Job> jobs;
  std::vector<Attempt> attempts;
  std::vector<Event> events;
};

inline Result<Everything> read_everything(Store& store) {
  Everything all;
  auto loaded = store.load();
  if (!loaded) return std::unexpected(loaded.error());
  all.loaded = std::move(*loaded);
  auto reader = store.reader();
  if (!reader) return std::unexpected(reader.error());
  for (JobFilter filter;; filter.before = all.jobs.back().id) {
    auto jobs = (*reader)->jobs(filter, 1'000'000);
    if (!jobs) return std::unexpected(jobs.error());
    if (jobs->empty()) break;
    all.jobs.insert(all.jobs.end(), jobs->begin(), jobs->end());
  }
  for (const auto& job : all.jobs) {
    auto attempts = (*reader)->attempts(job.id);
    if (!attempts) return std::unexpected(attempts.error());
    all.attempts.insert(all.attempts.end(), attempts->begin(), attempts->end());
  }
  for (EventFilter filter;; filter.after = all.events.back().seq) {
    auto events = (*reader)->events(filter, 1'000'000);
    if (!events) return std::unexpected(events.error());
    if (events->empty()) break;
    all.events.insert(all.events.end(), events->begin(), events->end());
  }
  return all;
}

inline bool is_whole(const Everything& all, const testing::RandomHistory& history) {
  Tables tables;
  for (const auto& job : all.jobs) tables.jobs.emplace(job.id, job);
  for (const auto& attempt : all.attempts) tables.attempts.emplace(attempt.key(), attempt);
  return all.loaded.tables == testing::unfinished(history.tables()) && all.events == history.events() &&
         tables.jobs == history.tables().jobs && tables.attempts == history.tables().attempts;
}

}  // namespace ym::sqlite
