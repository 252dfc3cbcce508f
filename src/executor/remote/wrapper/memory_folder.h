// Where a node keeps small files in memory.
#pragma once

#include <string>

namespace ym::remote {

// This user's own, below that in which all may make files as in /tmp; empty if this machine has none, or none with
// room. It stays when the last task is gone.
std::string own_memory_folder();

// Removes the task folders of this user below it that nobody lives in: a wrapper that is killed leaves its own, and no
// one else tidies memory up. One that was made or changed in the last minutes is left alone, as is what cannot be read.
void remove_abandoned(const std::string& memory_folder);

}  // namespace ym::remote
