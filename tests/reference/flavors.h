// Which flavors the jobs of a queue try, and in which order.
#pragma once

#include <string>
#include <vector>

#include "model/tables.h"
#include "reference/quota.h"

namespace ym::reference {

// In the order of the queue's quota. Without a quota of its own: the flavors that its tree has quota for or, if it has
// none either, all flavors, in their configured order.
std::vector<std::string> tried_flavors(const Tables& tables, const NaiveQuota& quota, const std::string& queue);
// What a job tries: those flavors. For a job with an anchor, each spot flavor is replaced by its pairs with each of the
// other flavors that is not spot, if both name the same GPU type.
std::vector<std::string> tried_choices(const Tables& tables, const NaiveQuota& quota, const Job& job);

}  // namespace ym::reference
