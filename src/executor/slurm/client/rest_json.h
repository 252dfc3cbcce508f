// JSON of slurmrestd, v0.0.38 and later changes: jobs, nodes, submissions. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/client/client.h"
#include "executor/slurm/slurm_executor.h"

namespace ym::slurm {

// Numbers are plain, or since v0.0.39 {"set", "infinite", "number"}; states are a word, or since v0.0.40 a list.
// Errors: `corrupt`: it is not JSON, or not such an answer, or reports a failure.
Result<std::vector<JobRow>> parse_rest_jobs(std::string_view text, std::string_view user);
Result<std::vector<NodeRow>> parse_rest_nodes(std::string_view text);

std::string rest_submission(const Submission& submission, const SlurmOptions& options);
// An answer with errors and a job id has created the job.
std::expected<std::int64_t, SubmitError> parse_rest_submitted(int status, std::string_view text);

}  // namespace ym::slurm
