// The best place for a job, by looking at every node.
#pragma once

#include <optional>
#include <string>

#include "reference/keepers.h"
#include "reference/scheduler.h"

namespace ym::reference {

// Nothing: there is no room beside what is kept and reserved.
std::optional<Start> best_place(const Tables& tables, const Machines& machines, const Keepers& keepers,
                                const Reservations& reservations, const Job& job, const std::string& flavor);

}  // namespace ym::reference
