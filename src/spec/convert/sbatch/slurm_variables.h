// Variables that only Slurm sets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ym::convert {

// The variables that a script reads, each once, in order. Ignores comments, and variables that the script only sets
// or unsets.
std::vector<std::string> slurm_variables_in(std::string_view body);

// The variable to read instead; empty: there is none.
std::string_view instead_of_slurm_variable(std::string_view name);

}  // namespace ym::convert
