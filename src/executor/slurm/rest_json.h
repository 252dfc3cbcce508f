// slurmrestd's JSON, v0.0.38 and the changes since: jobs, nodes, submissions. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/client.h"
#include "executor/slurm/slurm_executor.h"

namespace ym::slurm {

// Numbers come as they are, or since v0.0.39 as {"set", "infinite", "number"}; states as a word, or since v0.0.40 as a
// list. Errors: `corrupt`: it is no JSON, or not such an answer, or says of itself that it failed.
Result<std::vector<JobRow>> parse_rest_jobs(std::string_view text, std::string_view user);
Result<std::vector<NodeRow>> parse_rest_nodes(std::string_view text);

std::string rest_submission(const Submission& submission, const SlurmOptions& options);
// An answer with errors and a job's id has made the job.
std::expected<std::int64_t, SubmitTrouble> parse_rest_submitted(int status, std::string_view text);

}  // namespace ym::slurm
