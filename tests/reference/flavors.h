// Which flavors the jobs of a queue try, and in which order.
#pragma once

#include <string>
#include <vector>

#include "model/tables.h"
#include "reference/quota.h"

namespace ym::reference {

// As the quota of the queue lists them; or, if it has none of its own, those that its tree has quota of, or all
// if that has none either, as they are configured.
std::vector<std::string> tried_flavors(const Tables& tables, const NaiveQuota& quota, const std::string& queue);

}  // namespace ym::reference
