// Why a job can never run.
#pragma once

#include <string>
#include <vector>

#include "reference/machines.h"
#include "reference/quota.h"
#include "reference/scheduler.h"

namespace ym::reference {

// `all`: the flavors of its queue. Precondition: the job can run in none of them.
std::vector<Cause> never(const Job& job, const std::vector<std::string>& all, const Tables& tables,
                         const Machines& machines, const NaiveQuota& quota);

}  // namespace ym::reference
