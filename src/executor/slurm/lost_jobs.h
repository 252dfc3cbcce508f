// Launches of this server's among Slurm's jobs that its state does not know (executor/lost_launch.h). Pure.
//
// A gang is whole at its start gate. So of one with a job that never had nodes (it waits, or was taken off before)
// nothing ran: that is no lost launch, and what there is of it nobody needs.
#pragma once

#include <string>
#include <vector>

#include "executor/lost_launch.h"
#include "executor/slurm/client.h"

namespace ym::slurm {

// By token. Which tasks a job has its comment says, and on which nodes, where it does; else Slurm's list of them, which
// is the whole of them but while a job is completing.
std::vector<LostLaunch> lost_among(const std::vector<JobRow>& rows, const std::string& instance, const IsLost& is_lost);

}  // namespace ym::slurm
