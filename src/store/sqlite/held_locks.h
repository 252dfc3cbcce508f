// Whether anything of an earlier state, or a server of another directory, still runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ym::sqlite {

// Tasks below `attempts` whose supervisor holds its lock (attempts/*/*/*/*/lock): for each
// "pid 123", or its path where the process cannot be told.
std::vector<std::string> held_locks(const std::filesystem::path& attempts);

// Who holds the lock on this file: said likewise; nothing: nobody, or it cannot be opened.
std::optional<std::string> holder_of(const std::filesystem::path& lock);

}  // namespace ym::sqlite
