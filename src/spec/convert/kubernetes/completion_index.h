// The index of a pod of an Indexed Job. Kubernetes sets it as JOB_COMPLETION_INDEX; here it is the program's index in
// the array or among the nodes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

inline constexpr std::string_view kCompletionIndex = "JOB_COMPLETION_INDEX";

// Whether lines before the program can set the index. False under torchrun, which starts the program itself.
inline bool tells_index(const Part& part) { return part.indexed && !part.torchrun; }

// The variables to set.
std::vector<std::string> index_variables(const Part& part);

// The only pod of a Job has index 0, a constant.
void set_only_index(Part& part);

// Adds lines of plain sh that set the variables to `place`, which is YM_ARRAY_INDEX or YM_NODE_RANK. Precondition:
// tells_index(part).
void tell_index(Part& part, std::string_view place);

}  // namespace ym::convert
