// Parts: the Slurm jobs that an attempt is made of. Pure.
//
// Tasks in a row that want the same, with the same number of them on each node, are one Slurm job, whose step starts
// them all at once. What is uneven becomes several, and the start gate makes one gang of them again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "executor/executor.h"
#include "executor/slurm/client.h"
#include "executor/slurm/slurm_executor.h"

namespace ym::slurm {

struct Part {
  std::int32_t first_task = 0;
  std::int32_t tasks_per_node = 1;
  std::vector<std::string> nodes;  // in the order of the tasks; where Slurm places they are only so many
  // Of each task.
  std::int64_t cpus = 1, memory_bytes = 0, gpus = 0;
  std::string gpu_type;
  bool operator==(const Part&) const = default;

  std::int32_t tasks() const { return static_cast<std::int32_t>(nodes.size()) * tasks_per_node; }
};

// Errors: `invalid`, for what Slurm cannot give: a share of a GPU, a slice by its id, a node's name that is none.
Result<std::vector<Part>> plan_parts(const LaunchRequest& request, SlurmPlacement placement);

// What can be said of one that ran, where nothing can be planned any more: on which nodes its tasks are. Precondition:
// it was let in.
Part part_of_claims(const LiveAttempt& attempt);
// User code may run, or have run: by stored claims, or because nobody knows (LiveAttempt::adopted).
bool was_let_in(const LiveAttempt& attempt);
// By task; where it has claimed, else where it was placed.
std::string node_of_task(const LiveAttempt& attempt, std::int32_t task);

// "ym-<token>-<instance>", and ".p<number>" behind it where there are several. Two servers of one user may well have
// the same tokens; jobs of one name wait for each other (singleton), and accounts are asked by it.
std::string part_name(const Token& token, const std::string& instance, std::size_t part, std::size_t parts);
// Whose part is called so; nothing: no job of this server's is.
std::optional<Token> token_of_part(std::string_view name, std::string_view instance);

// How long a job may take in the partition; nothing: no limit.
std::optional<std::int64_t> most_minutes(const SlurmOptions& options, const Facts& facts);
// How long the Slurm job may take, in minutes: the attempt's limit, its grace and a margin. Without a limit as long
// as the partition lets it. Errors: `invalid`: the partition would never run it.
Result<std::optional<std::int64_t>> minutes_for(const JobSpec& spec, const SlurmOptions& options, const Facts& facts);

}  // namespace ym::slurm
