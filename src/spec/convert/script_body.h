// What a script for sbatch runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spec/convert/array_ids.h"
#include "spec/convert/sbatch.h"

namespace ym::convert {

// What the options say that a body may ask about.
struct BodyOptions {
  std::int64_t tasks_per_node = 1;
  std::optional<ArrayIds> array{};
  Variables numbers{};  // variables of Slurm's that stand for a number which is known
};

// The body becomes an argument of its interpreter: of a login shell where it calls what only such a one knows, and
// behind lines that tell members of an array their ids. Remarks upon what only Slurm does: srun, SLURM_ variables, and
// that the body runs on the first node alone there and on each node here.
void take_body(const Script& script, const BodyOptions& options, Part& part, Remarks& remarks);

// "n[1-5],login" -> "n[1-5]" and "login".
std::vector<std::string> node_patterns(const std::string& list);

}  // namespace ym::convert
