// What a script for sbatch runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "spec/convert/sbatch.h"

namespace ym::convert {

// The body becomes an argument of its interpreter. Remarks upon what only Slurm does: srun, SLURM_ variables, and that
// the body runs on the first node alone there and on each node here.
void take_body(const Script& script, std::int64_t tasks_per_node, Part& part, Remarks& remarks);

// "n[1-5],login" -> "n[1-5]" and "login".
std::vector<std::string> node_patterns(const std::string& list);

}  // namespace ym::convert
