// The comment of one of this server's Slurm jobs: its server and the tasks that it has. Pure.
//
// "yardmaster/INSTANCE job ID attempt N, 5 tasks: 2+3 on n3,n1,n2": tasks 2, 3 and 4 of 5, spread evenly over these
// nodes in this order. The nodes are left out if Slurm chooses them, or if there are too many for a comment. Earlier
// versions wrote only the number of tasks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/jobs/parts.h"

namespace ym::slurm {

// Slurm accepts no longer comment (1024 bytes).
inline constexpr std::size_t kMostComment = 1000;

std::string part_comment(const std::string& instance, const LaunchRequest& request, const Part& part, bool placed);

// Whether a job with this comment is of this server.
bool is_ours(std::string_view comment, std::string_view instance);

// Whether the comment is of a version that writes which tasks a job has. Agents of earlier versions exited with 0 even
// if they were not let in.
bool says_which_tasks(std::string_view comment);

struct PartShare {
  std::int32_t of = 0;  // tasks of the attempt
  std::int32_t first_task = 0, tasks = 0;
  std::vector<std::string> nodes{};  // in the order of the tasks; empty: not in the comment
  bool operator==(const PartShare&) const = default;
};
// From the name and comment of a job of the instance. Empty: they do not tell.
std::optional<PartShare> share_of(std::string_view name, std::string_view comment, std::string_view instance);

}  // namespace ym::slurm
