// In which of its flavors a job could ever run.
#pragma once

#include <string>
#include <vector>

#include "reference/machines.h"
#include "reference/quota.h"

namespace ym::reference {

// Of the flavors that it tries: those with enough quota and with nodes that are large enough.
std::vector<std::string> possible_flavors(const NaiveQuota& quota, const Machines& machines, const Job& job,
                                          const std::vector<std::string>& tried);
// Of these: without any repair.
std::vector<std::string> serving_flavors(const NaiveQuota& quota, const Machines& machines, const Job& job,
                                         const std::vector<std::string>& tried);

}  // namespace ym::reference
