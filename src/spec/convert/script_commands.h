// Commands in a script that only Slurm's surroundings understand.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/convert/shell_lines.h"

namespace ym::convert {

// Who starts the tasks there: srun, mpirun, or nobody. `per_node`: the tasks of a node.
void remark_on_tasks(const std::vector<ShellLine>& lines, std::int64_t per_node, const Part& part, Remarks& remarks);

// scontrol, squeue and the like.
void warn_of_slurm_commands(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks);

// $1 and "$@", which were behind the script on sbatch's command line, and $0; of what is no shell, the same by its
// own name.
void warn_of_arguments(const std::vector<ShellLine>& lines, const Words& interpreter, const Part& part,
                       Remarks& remarks);

// A torchrun that the script starts by itself.
void warn_of_own_torchrun(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks);

// Whether the environment tells a script where its nodes meet: MASTER_ADDR and MASTER_PORT.
bool is_told_where_to_meet(const std::vector<ShellLine>& lines, const Part& part);

}  // namespace ym::convert
