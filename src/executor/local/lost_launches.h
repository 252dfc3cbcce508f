// Lost launches below a state directory (executor/lost_launch.h), found by the folders of attempts and by living
// processes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "executor/local/cleanup/leftovers.h"
#include "executor/lost_launch.h"

namespace ym::local {

struct FoundLaunch {
  LostLaunch launch;
  std::vector<std::string> devices{};  // of all tasks, as CUDA names them
};

// All members outlive the call.
struct LostSearch {
  const std::filesystem::path& state_dir;
  const std::string& state_id;
  const Living& living;
  const IsLost& is_lost;
};

// Both are ordered by token; the epoch is 0 if it is unknown. A job may leave its folder unreadable: such a folder
// counts as a living launch that is not completely known. Errors: `io`: nothing could be read.
//
// find_lost() looks at all folders, and at processes without a folder. It reads each folder and asks the store about
// each.
Result<std::vector<FoundLaunch>> find_lost(const LostSearch& search);
// Only launches with a living process that carries their token; quick.
Result<std::vector<FoundLaunch>> find_living_lost(const LostSearch& search);

// Whether an attempt lives, by its folder: a supervisor holds a lock, or a recorded process lives. True if that is
// unknown.
bool lives_by_folder(int attempt_folder, std::int32_t tasks);

}  // namespace ym::local
