// Elastic jobs that are stopped for others and go on at once, smaller, on nodes that they have already.
#pragma once

#include <optional>
#include <vector>

#include "engine/preemption/candidates.h"

namespace ym::engine {

// Whether it could do with fewer nodes, and would lose little: its attempt has reported a checkpoint that is durable,
// and nobody counts how often it is preempted.
bool may_shrink(const Inputs& in, const Running& one);

// Where a victim begins again.
struct GoingOn {
  Running* victim = nullptr;
  Choice choice;
};

// Those of the victims that can go on, each with as many of its nodes as are left to it, its smallest size at least;
// the most urgent first, then those who came first. If all can, the first leave enough to those behind. Preconditions:
// they have departed in the trial, and what they make room for is kept. Their places are kept in the trial until it is
// rolled back.
std::vector<GoingOn> who_goes_on(Cycle& cycle, const Candidates& victims);

// Of each victim as many nodes as its smallest size asks for are kept in the trial, those first that are not `spared`;
// false: one has not so many. Precondition: they have departed in the trial.
bool keep_smallest(Cycle& cycle, const Candidates& victims, const std::vector<NodeIndex>& spared);

}  // namespace ym::engine
