// State directories, for programs that open no store there.
#include <fmt/format.h>

#include <cstdlib>

#include "store/sqlite/files/files.h"
#include "store/sqlite/files/state_dir.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {

namespace fs = std::filesystem;

Result<void> mark_moved(const fs::path& dir, std::string_view to) {
  return sqlite::write_durably(dir / "moved", fmt::format("{}\n", to));
}

Result<void> unmark_moved(const fs::path& dir) {
  std::error_code failed;
  fs::remove(dir / "moved", failed);
  if (failed)
    return fail(ErrorCode::io, fmt::format("cannot delete {}: {}", (dir / "moved").string(), failed.message()));
  return sqlite::sync_folder(dir);
}

Result<std::shared_ptr<void>> hold_state_dir(const fs::path& dir) {
  auto held = sqlite::StateDir::enter_without_state(dir);
  if (!held) return std::unexpected(held.error());
  return std::make_shared<sqlite::StateDir>(std::move(*held));
}

Result<std::shared_ptr<void>> hold_copy(const fs::path& dir) {
  auto held = sqlite::StateDir::enter_to_look(dir);
  if (!held) return std::unexpected(held.error());
  return std::make_shared<sqlite::StateDir>(std::move(*held));
}

fs::path default_receipts_dir() {
  const auto below = [](const char* variable, std::string_view rest) {
    const char* value = std::getenv(variable);
    return value && *value == '/' ? fs::path(value) / rest : fs::path();
  };
  auto base = below("XDG_STATE_HOME", "");
  if (base.empty()) base = below("HOME", ".local/state");
  return base.empty() ? base : base / "yardmaster-initialised";
}

}  // namespace ym
