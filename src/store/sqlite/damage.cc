#include "store/sqlite/damage.h"

#include <fmt/format.h>

namespace ym::sqlite {

Error damaged(const std::filesystem::path& file, std::string_view what) {
  const auto dir = file.parent_path().string();
  return {.code = ErrorCode::corrupt,
          .message = fmt::format(
              "{}: {}. Nothing was changed. Restore {}/yardmaster.db from a backup (and delete acknowledged, "
              "yardmaster.db-wal and yardmaster.db-shm beside it), "
              "or move it away and start `ym serve --state {} --init` to begin with an empty state",
              file.string(), what, dir, dir)};
}

}  // namespace ym::sqlite
