#include "store/sqlite/files/clean_stop.h"

#include <fmt/format.h>

#include <string>

#include "store/sqlite/files/files.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

fs::path note(const fs::path& database) { return database.parent_path() / "stopped-cleanly"; }

// Size and time of the file; empty if they cannot be read.
std::string as_found(const fs::path& database) {
  std::error_code failed;
  const auto size = fs::file_size(database, failed);
  if (failed) return {};
  const auto time = fs::last_write_time(database, failed);
  return failed ? std::string() : fmt::format("{} bytes, written at {}\n", size, time.time_since_epoch().count());
}

}  // namespace

bool take_clean_stop(const fs::path& database) {
  const auto text = read_small(note(database)).value_or("");
  std::error_code ignored;
  fs::remove(note(database), ignored);
  return !text.empty() && text == as_found(database);
}

void leave_clean_stop(const fs::path& database) {
  std::error_code failed;
  const auto log = fs::file_size(fs::path(database).concat("-wal"), failed);
  if (!failed && log > 0) return;
  const auto text = as_found(database);
  if (!text.empty()) (void)write_durably(note(database), text);
}

}  // namespace ym::sqlite
