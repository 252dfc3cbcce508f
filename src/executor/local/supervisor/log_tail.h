// The last output of a task: some ends are explained only there.
#pragma once

#include <string>

namespace ym::local {

// At most 64 KiB. `path` may be relative to the task's folder. Empty if the log cannot be read.
std::string log_tail(int task_folder, const std::string& path);

}  // namespace ym::local
