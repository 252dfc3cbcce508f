// Whether anything of an earlier state still runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ym::sqlite {

// Tasks below `attempts` whose supervisor holds its lock (attempts/*/*/*/*/lock): for each
// "pid 123", or its path where the process cannot be told.
std::vector<std::string> held_locks(const std::filesystem::path& attempts);

}  // namespace ym::sqlite
