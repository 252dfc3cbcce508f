// The index of a pod among those of an Indexed Job, which Kubernetes tells each in JOB_COMPLETION_INDEX: what runs is
// told it by its place in an array or among the nodes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

inline constexpr std::string_view kCompletionIndex = "JOB_COMPLETION_INDEX";

// Whether lines in front of what runs tell it. They are for no program of torchrun's, which starts that itself.
inline bool tells_index(const Part& part) { return part.indexed && !part.torchrun; }

// The variables that are to have it.
std::vector<std::string> index_variables(const Part& part);

// The one pod of a Job has 0, which is a value like others.
void set_only_index(Part& part);

// Lines of plain sh set them to `place`, which is YM_ARRAY_INDEX or YM_NODE_RANK. Precondition: tells_index(part).
void tell_index(Part& part, std::string_view place);

}  // namespace ym::convert
