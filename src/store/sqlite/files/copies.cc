#include "store/sqlite/files/copies.h"

#include <fmt/format.h>

#include <optional>

#include "store/sqlite/database.h"
#include "store/sqlite/files/files.h"
#include "store/sqlite/files/held_locks.h"
#include "store/sqlite/files/notes.h"
#include "store/sqlite/files/state_dir.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

bool was_moved(const Origin& origin, std::string_view machine) {
  return !origin.machine.empty() && !machine.empty() && origin.machine != machine;
}

bool is_another(const fs::path& there, const fs::path& ours) {
  std::error_code failed;
  return has_database(there) && !(fs::equivalent(there, ours, failed) && !failed);
}

std::optional<std::int64_t> first_event_in(const fs::path& dir) {
  const auto database = Database::open(dir / "yardmaster.db", Access::read_only);
  return database ? first_event(**database) : std::nullopt;
}

// The directory that a receipt names; empty if the file is not a receipt but a note, for example.
fs::path directory_of(const fs::path& receipt) {
  const fs::path named = read_line(receipt).value_or("");
  return named.is_absolute() ? named : fs::path();
}

// The directory with the same state, found by the receipts; empty: there is none.
fs::path find_original(const fs::path& dir, const fs::path& receipts) {
  const auto ours = first_event_in(dir);
  std::error_code failed;
  for (fs::directory_iterator it{receipts, failed}, end; ours && !failed && it != end; it.increment(failed)) {
    const auto there = directory_of(it->path());
    if (!there.empty() && is_another(there / "yardmaster.db", dir / "yardmaster.db") && first_event_in(there) == ours)
      return there;
  }
  return {};
}

}  // namespace

std::string describe(const fs::path& dir, const Origin& origin, std::string_view machine) {
  if (origin.directory.empty()) return "a state from another place (its marker does not name it)";
  if (was_moved(origin, machine))
    return fmt::format("the state of {} on another machine (machine id {})", origin.directory.string(), origin.machine);
  if (origin.directory == dir) return "an earlier state of this directory";
  return fmt::format("the state of {}", origin.directory.string());
}

Error refused_copy(const fs::path& dir, const Origin& origin) {
  return {.code = ErrorCode::conflict,
          .message = fmt::format(
              "{} is a copy of {}, and two servers of one state would start every job twice. Nothing was changed. `ym "
              "serve --state {}` looks at it and changes nothing; `ym serve --state {} --take-over` continues it, "
              "once no server serves the original",
              dir.string(), describe(dir, origin, machine_id()), dir.string(), dir.string())};
}

Result<void> check_original_is_gone(const fs::path& dir, const Origin& origin, std::string_view machine,
                                    const fs::path& receipts) {
  if (was_moved(origin, machine)) return {};
  const auto original = origin.directory.empty() ? find_original(dir, receipts) : origin.directory;
  if (original.empty() || !is_another(original / "yardmaster.db", dir / "yardmaster.db")) return {};
  const auto holder = holder_of(original / "lock");
  return fail(ErrorCode::conflict,
              fmt::format("{0} is a copy of the state of {1}, which is still there{2}. Nothing was changed. Serve that "
                          "one; or, when its server is stopped and no job of it runs, move it away (`mv {1} {1}.old`) "
                          "and start again: this copy does not know of jobs that run below it, so they would run "
                          "twice",
                          dir.string(), original.string(), holder ? fmt::format(", and is served ({})", *holder) : ""));
}

}  // namespace ym::sqlite
