// Why a job can never run with this configuration.
#pragma once

#include <vector>

#include "engine/cycle/cycle.h"

namespace ym::engine {

// By precedence. Precondition: none of the options is feasible.
std::vector<Reason> never_reasons(const Inputs& in, const Shape& shape, const std::vector<Option>& options);

// The dominant reason comes first in the order of codes. Among equal codes, the nodes that the job itself excludes come
// first, as its user can change that. The others keep the order of flavors.
void insert_by_precedence(std::vector<Reason>& reasons, Reason reason);

}  // namespace ym::engine
