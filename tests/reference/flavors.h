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
// What a job tries: those; and of one with an anchor, in place of a flavor that is spot, that with each other of them
// that is not, if both say the same of their GPUs.
std::vector<std::string> tried_choices(const Tables& tables, const NaiveQuota& quota, const Job& job);

}  // namespace ym::reference
