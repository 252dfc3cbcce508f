// Lost launches (executor/lost_launch.h) among this server's Slurm jobs. Pure.
//
// A gang is complete when its launch barrier opens. So if a job of a gang never had nodes (it waits, or was cancelled
// before), user code never ran. That is not a lost launch, and its jobs are not needed.
#pragma once

#include <string>
#include <vector>

#include "executor/lost_launch.h"
#include "executor/slurm/client/client.h"

namespace ym::slurm {

// Ordered by token. The comment of a job names its tasks, and their nodes if it has room for them. Otherwise Slurm's
// list of nodes counts; it is complete except while a job is completing.
std::vector<LostLaunch> lost_among(const std::vector<JobRow>& rows, const std::string& instance, const IsLost& is_lost);

}  // namespace ym::slurm
