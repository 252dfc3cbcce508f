// The command line of sbatch for a submission. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/client/client.h"
#include "executor/slurm/slurm_executor.h"

namespace ym::slurm {

// The argument vector without the program; the script comes on standard input. Of several jobs with one name only one
// runs at a time, so the twin of a lost submission waits until it is cancelled.
std::vector<std::string> sbatch_words(const Submission& submission, const SlurmOptions& site);

// Interprets the errors of a failed sbatch.
SubmitError submit_error_of(std::string_view errors);

// "--parsable": "12" or "12;cluster".
std::optional<std::int64_t> parse_job_number(std::string_view output);

}  // namespace ym::slurm
