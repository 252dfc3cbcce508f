// The folder for small files in memory on a node.
#pragma once

#include <string>

namespace ym::remote {

// This user's own folder in the shared memory folder, in which all users may create files as in /tmp. Empty: this
// machine has no such folder, or too little room there. The folder stays after the last task.
std::string own_memory_folder();

// Removes this user's task folders below it that have no living supervisor: an agent that was killed leaves its folder,
// and no other program cleans up memory. A folder that was created or changed in the last minutes stays, as do
// unreadable ones.
void remove_abandoned(const std::string& memory_folder);

}  // namespace ym::remote
