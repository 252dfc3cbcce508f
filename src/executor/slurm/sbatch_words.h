// The words of sbatch, srun's script, and the like, from what is to be made. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/client.h"
#include "executor/slurm/slurm_executor.h"

namespace ym::slurm {

// The argument vector, without the program; the script comes by standard input. Of several jobs of one name only
// one runs at a time: a twin of a submission that was lost sight of waits until it is taken away.
std::vector<std::string> sbatch_words(const Submission& submission, const SlurmOptions& site);

// What sbatch said when it failed.
SubmitTrouble trouble_of(std::string_view errors);

// "--parsable": "12" or "12;cluster".
std::optional<std::int64_t> parse_job_number(std::string_view output);

}  // namespace ym::slurm
