// Variables that only Slurm sets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ym::convert {

// Those that a script reads, each once, in their order. What stands in lines that are comments, and what the script
// only sets or unsets, is not read.
std::vector<std::string> slurm_variables_in(std::string_view body);

// What to read in its place; empty: nothing here says it.
std::string_view instead_of_slurm_variable(std::string_view name);

}  // namespace ym::convert
