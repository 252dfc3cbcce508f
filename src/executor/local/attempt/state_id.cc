#include "executor/local/attempt/state_id.h"

#include <algorithm>

#include "executor/local/attempt/files.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/layout.h"

namespace ym::local {
namespace {

bool plausible(const std::string& id) {
  return id.size() == 32 && id.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Result<std::string> read_state_id(int attempts_folder) {
  auto id = read_file(attempts_folder, kStateIdFile, 4096);
  if (!id && id.error().code == ErrorCode::not_found) {
    const auto made = create_durably(attempts_folder, kStateIdFile, new_nonce());
    if (!made) return std::unexpected(made.error());
    id = read_file(attempts_folder, kStateIdFile, 4096);
  }
  if (id && !plausible(*id))
    return fail(ErrorCode::corrupt,
                "the file attempts/.id of the state directory is damaged; restore it from a "
                "backup, or remove it while none of this directory's jobs run");
  return id;
}

Result<void> keep_state_id(int attempts_folder, const std::string& id) {
  const auto made = create_durably(attempts_folder, kStateIdFile, id);
  if (!made) return std::unexpected(made.error());
  return {};
}

}  // namespace ym::local
