// Whether tasks of an earlier state, or a server of another directory, still run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ym::sqlite {

// The tasks below `attempts` with a supervisor that holds the task's lock (attempts/*/*/*/*/lock): "pid 123" for each,
// or the lock's path if the process is unknown.
std::vector<std::string> held_locks(const std::filesystem::path& attempts);

// The process that holds the lock on this file, in the same form. Nothing: no process, or the file cannot be opened.
std::optional<std::string> holder_of(const std::filesystem::path& lock);

}  // namespace ym::sqlite
