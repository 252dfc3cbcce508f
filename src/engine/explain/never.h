// Why a job can never run, as things are configured.
#pragma once

#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// By precedence. Precondition: none of the options is feasible.
std::vector<Reason> never_reasons(const Inputs& in, const Shape& shape, const std::vector<Option>& options);

// Dominant is what comes first in the order of codes. Of equal ones it is what the job excludes by itself, as that is
// for its user to change; the others keep the order of flavors.
void insert_by_precedence(std::vector<Reason>& reasons, Reason reason);

}  // namespace ym::engine
