// Fragmentation gradient descent (Weng et al., Beware of Fragmentation, USENIX ATC 2023): of a node's idle GPUs
// those are a fragment to a task that could not run there; averaged over the tasks there are, taking a node adds
// or removes fragments, and the node is taken where least is added.
//
// As there, the difference counts by its place on a curve, so that small differences are ties, which best fit
// decides. Beyond it, a task for which memory is missing counts as one that cannot run; and one in kWholeNodes of
// the tasks is taken to need a whole node, whether there is one or not: what is whole cannot be had back when the
// first such job comes. To a task that wants slices of a profile nothing else is idle, nor are such slices to others.
#include <algorithm>
#include <array>

#include "engine/placement/score.h"

namespace ym::engine {
namespace {

// kSteps[s-1] is the least change of fragments, in thousandths of a GPU, at which 100 / (1 + e^(-change)) is s: so
// that no floating point decides.
constexpr std::array<std::int64_t, 99> kSteps{
    -4595, -3891, -3476, -3178, -2944, -2751, -2586, -2442, -2313, -2197, -2090, -1992, -1900, -1815, -1734,
    -1658, -1585, -1516, -1450, -1386, -1324, -1265, -1208, -1152, -1098, -1045, -994,  -944,  -895,  -847,
    -800,  -753,  -708,  -663,  -619,  -575,  -532,  -489,  -447,  -405,  -363,  -322,  -281,  -241,  -200,
    -160,  -120,  -80,   -40,   0,     41,    81,    121,   161,   201,   242,   282,   323,   364,   406,
    448,   490,   533,   576,   620,   664,   709,   754,   801,   848,   896,   945,   995,   1046,  1099,
    1153,  1209,  1266,  1325,  1387,  1451,  1517,  1586,  1659,  1735,  1816,  1901,  1993,  2091,  2198,
    2314,  2443,  2587,  2752,  2945,  3179,  3477,  3892,  4596,
};

constexpr std::int64_t kWholeNodes = 8;

bool holds(const NodeRoom& free, const NodeNeed& need) {
  const auto fits = [&](const SharedDevice& one) { return one.free.covers(need.part); };
  return free.devices >= need.devices && (need.cpus == 0 || free.cpus >= need.cpus) &&
         (need.memory == 0 || free.memory >= need.memory) &&
         (!need.shares() || free.devices > 0 || std::ranges::any_of(free.shared, fits));
}

// What is idle of GPUs and tasks of the type cannot use, in thousandths.
std::int64_t fragments(const NodeRoom& free, const NodeNeed& type) {
  if (!holds(free, type)) return free.gpus();
  if (!type.shares()) return free.shared_milli;
  std::int64_t useless = 0;
  for (const SharedDevice& one : free.shared)
    if (!one.free.covers(type.part)) useless += one.free.milli;
  return useless;
}

}  // namespace

std::int64_t fgd_score(const std::vector<TaskType>& types, Index profile, const NodeRoom& size, const NodeRoom& free,
                       const NodeRoom& left) {
  std::int64_t tasks = 0, removed = 0;
  for (const TaskType& type : types) {
    if (type.need.profile != profile) continue;
    tasks += type.tasks;
    removed += type.tasks * (fragments(free, type.need) - fragments(left, type.need));
  }
  if (tasks == 0) return 0;
  const std::int64_t whole = std::max<std::int64_t>(1, tasks / kWholeNodes);
  const auto beside_whole = [&](const NodeRoom& room) { return room.devices == size.devices ? 0 : room.gpus(); };
  tasks += whole;
  removed += whole * (beside_whole(free) - beside_whole(left));
  const std::int64_t change = removed / tasks;
  return 100 - (std::ranges::upper_bound(kSteps, change) - kSteps.begin());
}

}  // namespace ym::engine
