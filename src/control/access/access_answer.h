// Questions about access as they are asked, and their answers.
#pragma once

#include <optional>
#include <string>

#include "control/access/rights.h"

namespace ym {

struct AccessQuestion {
  std::string verb, object;  // as parse_question reads them
  std::string as{};          // a principal's handle; empty: the caller
};

struct AccessAnswer {
  std::string principal;  // that the question is about
  Permission permission = Permission::jobs_list;
  std::optional<Grant> grant{};  // that gives it; nothing: it is not allowed
  bool as_owner = false;
  bool by_token = false;  // the principal has the right, and its token does not
  std::string reason{};   // why it is not allowed
};

}  // namespace ym
