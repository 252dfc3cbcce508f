// Launches below a state directory that its state does not know (executor/lost_launch.h), by the attempts' folders and
// by what lives.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "executor/local/remains.h"
#include "executor/lost_launch.h"

namespace ym::local {

struct FoundLaunch {
  LostLaunch launch;
  std::vector<std::string> devices{};  // all of them, as CUDA names them
};

// All outlive the call.
struct LostSearch {
  const std::filesystem::path& state_dir;
  const std::string& state_id;
  const Living& living;
  const IsLost& is_lost;
};

// Both in the order of their tokens; the epoch is 0 where nothing says it. A folder that cannot be read, as a job may
// leave it, is a launch that lives, of which not all is known. Errors: `io`: it could not be looked at all.
//
// Those of all folders, and what lives without one. It takes a look at each folder, and one of the store's for each.
Result<std::vector<FoundLaunch>> find_lost(const LostSearch& search);
// Those alone of which something lives that says so of itself; quick.
Result<std::vector<FoundLaunch>> find_living_lost(const LostSearch& search);

// Whether something of an attempt lives by what its folder says: a supervisor holds a lock, or a process that is
// recorded lives; or that cannot be told.
bool lives_by_folder(int attempt_folder, std::int32_t tasks);

}  // namespace ym::local
