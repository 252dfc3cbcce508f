// What a fleet has room for at most, as a linear program: a relaxation, so that whatever can be placed is one of its
// solutions.
//
// Nodes that are alike when empty are one class, and have their CPUs, memory and GPUs together. How many pods of a
// shape a class has is a column, and so is how many of its GPUs are cut in each way (cuts.h); shares that are smaller
// than pieces flow into the rests. Where it is loose: CPUs and memory of a class are in one pot, so none are stranded
// on a node whose GPUs are full; parts of pods are pods; small shares may be split; pods with several GPUs may have
// them on several nodes.
#pragma once

#include <cstddef>
#include <vector>

#include "papers/ceiling/cuts.h"
#include "papers/ceiling/linear_program.h"

namespace ym::sim::placement {

struct RoomProgram {
  LinearProgram program;               // maximises the GPUs allocated, in thousandths of one
  std::vector<std::size_t> shape_row;  // by shape: the row whose sum is how many are placed; at first any number is
};

RoomProgram room_program(const PodList& list, const Fleet& fleet, const CutOptions& cuts = {});

}  // namespace ym::sim::placement
