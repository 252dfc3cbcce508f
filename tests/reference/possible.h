// Which of its flavors could ever do for a job.
#pragma once

#include <string>
#include <vector>

#include "reference/machines.h"
#include "reference/quota.h"

namespace ym::reference {

// Of those that it tries: with quota that could suffice, and nodes that are large enough.
std::vector<std::string> possible_flavors(const NaiveQuota& quota, const Machines& machines, const Job& job,
                                          const std::vector<std::string>& tried);
// Of these: with nothing repaired.
std::vector<std::string> serving_flavors(const NaiveQuota& quota, const Machines& machines, const Job& job,
                                         const std::vector<std::string>& tried);

}  // namespace ym::reference
