// Slurm through its commands: sbatch, squeue, sacct, scontrol, scancel.
#pragma once

#include <memory>

#include "executor/slurm/client/client.h"
#include "executor/slurm/slurm_executor.h"

namespace ym::slurm {

std::unique_ptr<SlurmClient> make_cli_client(SlurmOptions options);

}  // namespace ym::slurm
