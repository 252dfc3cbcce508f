// Why a considered job waits, by looking at everything.
#pragma once

#include <string>
#include <vector>

#include "reference/budgets.h"
#include "reference/keepers.h"
#include "reference/limits.h"
#include "reference/machines.h"
#include "reference/reservations.h"
#include "reference/scheduler.h"

namespace ym::reference {

// The world at the time of the question.
struct Seen {
  const Tables& tables;
  const Machines& machines;
  const Keepers& keepers;
  const Reservations& reservations;
  const Limits& limits;
  const Budgets& budgets;
  const NaiveQuota quota;
  JobId head;  // of the job's queue, if that is strict and it is behind him; 0: nobody
};

// By precedence of the codes, then in the order of flavors.
std::vector<Cause> causes_of(const Seen& seen, const Job& job, const std::vector<std::string>& flavors,
                             const std::vector<std::string>& possible);

}  // namespace ym::reference
