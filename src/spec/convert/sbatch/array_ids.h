// The ids of a Slurm array. Members of an array count from 0 here, so the script must compute the ids.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ym::convert {

struct ArrayIds {
  std::string written;            // the value of --array
  std::vector<std::int64_t> ids;  // at least one; ascending and unique, as in Slurm
  std::int64_t at_once = 0;       // members that may run at the same time; 0: all

  std::int64_t step() const { return ids.size() > 1 ? ids[1] - ids[0] : 1; }
};

// Parses "0-9", "1,3,7", "0-15:4", each also with "%2" at the end. Errors: `invalid` with the reason.
Result<ArrayIds> parse_array_ids(std::string_view text);

// Lines of plain sh that set SLURM_ARRAY_TASK_ID by YM_ARRAY_INDEX, and the other variables of Slurm's arrays that
// are in `read`.
std::string array_head(const ArrayIds& array, const std::vector<std::string>& read);

// Whether array_head can set the variable.
bool is_set_by_array_head(std::string_view variable);

}  // namespace ym::convert
