// The program of a script for sbatch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/convert/sbatch/array_ids.h"
#include "spec/convert/sbatch/sbatch.h"

namespace ym::convert {

// Values of options that a body may ask for.
struct BodyOptions {
  std::int64_t tasks_per_node = 1;
  std::optional<ArrayIds> array{};
  Variables numbers{};  // variables of Slurm that have a known number
};

// Makes the body an argument of its interpreter. Uses a login shell if the body calls a command that only a login
// shell knows. Puts lines first that compute the ids of an array's members. Adds remarks on what only Slurm does:
// srun, SLURM_ variables, and that Slurm runs the body on the first node only, while here each node runs it.
void take_body(const Script& script, const BodyOptions& options, Part& part, Remarks& remarks);

// "n[1-5],login" -> "n[1-5]" and "login".
std::vector<std::string> node_patterns(const std::string& list);

}  // namespace ym::convert
