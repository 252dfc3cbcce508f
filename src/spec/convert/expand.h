// $(NAME) in commands, arguments and values, which Kubernetes replaces before a container starts and nobody does here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/draft.h"

namespace ym::convert {

// By Kubernetes' rules: "$$" is "$", a name that is not known stays as it is written. Names that are not known are
// added to `unknown`.
std::string expand(std::string_view text, const Variables& env, std::vector<std::string>& unknown);

// Makes `run` of the command and its arguments, and has everything expanded. Complains if there is nothing to run.
void settle_words(Part& part, Remarks& remarks, std::string_view hint);

// Of what only the controllers of Kubernetes set for their pods. Precondition: the launcher is settled.
void warn_of_controllers(const Part& part, Remarks& remarks);

}  // namespace ym::convert
