// $(NAME) in commands, arguments and values. Kubernetes replaces it before a container starts; Yardmaster does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

// Follows the rules of Kubernetes: "$$" is "$", and an unknown name stays unchanged. Adds unknown names to `unknown`.
std::string expand(std::string_view text, const Variables& env, std::vector<std::string>& unknown);

// Makes `run` from the command and its arguments, and expands all variables. Reports a part without a program.
void settle_words(Part& part, Remarks& remarks, std::string_view hint);

// Warns of variables that only the controllers of Kubernetes set for their pods. Precondition: the launcher is
// settled.
void warn_of_controllers(const Part& part, Remarks& remarks);

}  // namespace ym::convert
