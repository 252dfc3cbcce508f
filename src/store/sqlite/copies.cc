#include "store/sqlite/copies.h"

#include <fmt/format.h>

#include "store/sqlite/held_locks.h"

namespace ym::sqlite {
namespace {

namespace fs = std::filesystem;

bool is_elsewhere(const Origin& origin, std::string_view machine) {
  return !origin.machine.empty() && !machine.empty() && origin.machine != machine;
}

}  // namespace

std::string describe(const fs::path& dir, const Origin& origin, std::string_view machine) {
  if (origin.directory.empty()) return "a state that was elsewhere (its marker does not say where)";
  if (is_elsewhere(origin, machine))
    return fmt::format("the state of {} on another machine (machine id {})", origin.directory.string(), origin.machine);
  if (origin.directory == dir) return "an earlier state of this directory";
  return fmt::format("the state of {}", origin.directory.string());
}

Error refused_copy(const fs::path& dir, const Origin& origin) {
  return {.code = ErrorCode::conflict,
          .message = fmt::format(
              "{} is a copy of {}, and two servers of one state would start every job twice. Nothing was changed. `ym "
              "serve --state {}` looks at it and changes nothing; `ym serve --state {} --take-over` goes on with it, "
              "once the original is not served any more",
              dir.string(), describe(dir, origin, machine_id()), dir.string(), dir.string())};
}

Result<void> check_not_served(const fs::path& dir, const Origin& origin, std::string_view machine) {
  if (origin.directory.empty() || is_elsewhere(origin, machine)) return {};
  const auto lock = origin.directory / "lock";
  std::error_code failed;
  // Our own is held by us.
  if (fs::equivalent(lock, dir / "lock", failed) || failed) return {};
  const auto holder = holder_of(lock);
  if (!holder) return {};
  return fail(
      ErrorCode::conflict,
      fmt::format("{} is a copy of the state of {}, which is served ({}). Nothing was changed. Stop that server "
                  "first: two servers of one state would start every job twice",
                  dir.string(), origin.directory.string(), *holder));
}

}  // namespace ym::sqlite
