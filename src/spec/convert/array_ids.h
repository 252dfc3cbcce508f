// The ids of an array of Slurm's, which members count from 0 here have to be told.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ym::convert {

struct ArrayIds {
  std::string written;            // as --array has it
  std::vector<std::int64_t> ids;  // at least one; rising, each once, as Slurm counts them
  std::int64_t at_once = 0;       // so many may run at a time; 0: all

  std::int64_t step() const { return ids.size() > 1 ? ids[1] - ids[0] : 1; }
};

// "0-9", "1,3,7", "0-15:4", with "%2" behind it. Errors: `invalid`, says what is wrong with it.
Result<ArrayIds> parse_array_ids(std::string_view text);

// Lines of plain sh that set SLURM_ARRAY_TASK_ID by YM_ARRAY_INDEX, and those of its other variables that are in
// `read`.
std::string array_head(const ArrayIds& array, const std::vector<std::string>& read);

// Whether array_head can set it.
bool is_set_by_array_head(std::string_view variable);

}  // namespace ym::convert
