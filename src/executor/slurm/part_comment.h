// What the comment of a Slurm job of ours says: whose it is, and which tasks of its attempt it has. Pure.
//
// "yardmaster/INSTANCE job ID attempt N, 5 tasks: 2+3 on n3,n1,n2": tasks 2, 3 and 4 of 5, spread evenly over these
// nodes in this order. The nodes are left out where Slurm places, and where they are too many for a comment; versions
// before this one said no more than how many tasks there are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "executor/slurm/parts.h"

namespace ym::slurm {

// Slurm takes no longer one (1024 bytes).
inline constexpr std::size_t kMostComment = 1000;

std::string part_comment(const std::string& instance, const LaunchRequest& request, const Part& part, bool placed);

// Whether a job with this comment is of this server's.
bool is_ours(std::string_view comment, std::string_view instance);

// Whether it is of a version whose comments say which tasks a job has. Wrappers of those before it left with 0 also
// where they were not let in.
bool says_which_tasks(std::string_view comment);

struct PartShare {
  std::int32_t of = 0;  // tasks of the attempt
  std::int32_t first_task = 0, tasks = 0;
  std::vector<std::string> nodes{};  // by their tasks' order; empty: not said
  bool operator==(const PartShare&) const = default;
};
// Of the job of that name with that comment, one of the instance's. Nothing: they do not say.
std::optional<PartShare> share_of(std::string_view name, std::string_view comment, std::string_view instance);

}  // namespace ym::slurm
