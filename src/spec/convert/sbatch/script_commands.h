// Commands in a script that work only under Slurm.
#pragma once

#include <cstdint>
#include <vector>

#include "spec/convert/sbatch/shell_lines.h"

namespace ym::convert {

// How the script starts its tasks: by srun, by mpirun, or not at all. `per_node`: tasks on a node.
void remark_on_tasks(const std::vector<ShellLine>& lines, std::int64_t per_node, const Part& part, Remarks& remarks);

// Warns of scontrol, squeue and the like.
void warn_of_slurm_commands(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks);

// Warns of $1 and "$@", the arguments after the script on sbatch's command line, and of $0; in languages other than
// shells, of their own names for these.
void warn_of_arguments(const std::vector<ShellLine>& lines, const Words& interpreter, const Part& part,
                       Remarks& remarks);

// Warns of a torchrun that the script starts itself.
void warn_of_own_torchrun(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks);

// Whether the environment of the script has the meeting point of its nodes: MASTER_ADDR and MASTER_PORT.
bool is_told_where_to_meet(const std::vector<ShellLine>& lines, const Part& part);

}  // namespace ym::convert
