// Options of sbatch that a job file cannot express, and what to do about each.
#pragma once

#include <string_view>
#include <vector>

#include "spec/convert/remarks.h"

namespace ym::convert {

// The known ones, by their long names.
std::vector<std::string_view> options_left_out();

// Adds a remark on an option that is not converted, known or not. `name`: empty if the field is a word that is not an
// option.
void leave_out(std::string_view name, const Field& option, Remarks& remarks);

}  // namespace ym::convert
