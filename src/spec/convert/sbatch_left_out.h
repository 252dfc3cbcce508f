// Options of sbatch's that a job file has no place for, and what to do about each.
#pragma once

#include <string_view>
#include <vector>

#include "spec/convert/remarks.h"

namespace ym::convert {

// Those that are known, by their long names.
std::vector<std::string_view> options_left_out();

// Remarks upon any option that is not taken, known or not. `name`: empty if the field is a word that is no option.
void leave_out(std::string_view name, const Field& option, Remarks& remarks);

}  // namespace ym::convert
