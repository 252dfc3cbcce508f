// Parts: the Slurm jobs of an attempt. Pure.
//
// Consecutive tasks with the same requests and the same number on each node are one Slurm job; its step starts all of
// them at once. Uneven tasks become several jobs, and the launch barrier makes one gang of them again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "executor/executor.h"
#include "executor/slurm/client/client.h"
#include "executor/slurm/slurm_executor.h"

namespace ym::slurm {

struct Part {
  std::int32_t first_task = 0;
  std::int32_t tasks_per_node = 1;
  std::vector<std::string> nodes;  // in task order; only their number counts if Slurm chooses
  // For each task.
  std::int64_t cpus = 1, memory_bytes = 0, gpus = 0;
  std::string gpu_type;
  bool operator==(const Part&) const = default;

  std::int32_t tasks() const { return static_cast<std::int32_t>(nodes.size()) * tasks_per_node; }
};

// Errors: `invalid`: Slurm cannot provide it (a share of a GPU, a slice by its id), or the name of a node is invalid.
Result<std::vector<Part>> plan_parts(const LaunchRequest& request, SlurmPlacement placement);

// For an attempt that ran and cannot be planned any more: a part that has only the nodes of its tasks. Precondition: it
// was let in.
Part part_of_claims(const LiveAttempt& attempt);
// User code may run or have run: there are stored claims, or it is unknown (LiveAttempt::adopted).
bool was_let_in(const LiveAttempt& attempt);
// The node of the task by its claim, else by its placement.
std::string node_of_task(const LiveAttempt& attempt, std::int32_t task);

// "ym-<token>-<instance>", followed by ".p<number>" if there are several. Two servers of one user may have the same
// tokens. Jobs with the same name wait for each other (singleton), and the accounting is queried by name.
std::string part_name(const Token& token, const std::string& instance, std::size_t part, std::size_t parts);
// Token of the job with this name. Empty: it is not a job of this server.
std::optional<Token> token_of_part(std::string_view name, std::string_view instance);

// Longest time of a job in the partition. Empty: no limit.
std::optional<std::int64_t> most_minutes(const SlurmOptions& options, const Facts& facts);
// Time limit of the Slurm job in minutes: the limit of the attempt, its grace and a margin. Without a limit, that of
// the partition. Errors: `invalid`: the partition would never run it.
Result<std::optional<std::int64_t>> minutes_for(const JobSpec& spec, const SlurmOptions& options, const Facts& facts);

}  // namespace ym::slurm
