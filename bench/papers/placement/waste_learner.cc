#include "papers/placement/waste_learner.h"

#include <memory>
#include <vector>

#include "base/random.h"
#include "papers/placement/arrivals.h"
#include "papers/placement/cluster.h"
#include "papers/placement/fgd_policies.h"
#include "papers/placement/fill.h"
#include "papers/placement/type_costs.h"
#include "papers/placement/waste_policy.h"

namespace ym::sim::placement {
namespace {

struct Visit {
  Node node = 0;
  IdlePart part;
};

void visit(std::vector<Visit>& visits, Node node, const Room& room) {
  for (const IdlePart& part : WasteCells::parts_of(room)) visits.push_back({.node = node, .part = part});
}

std::int64_t idle_of(const Room& room, GpuMask gpus) {
  std::int64_t idle = 0;
  for (std::size_t i = 0; i < kMostGpus; ++i)
    if ((gpus >> i & 1U) != 0) idle += room.free[i];
  return idle;
}

void run(Policy& policy, const PodList& list, const Fleet& fleet, Random& random, WasteCells& cells) {
  const std::int64_t capacity = fleet.capacity_milli();
  const auto arrivals = drawn_arrivals(list, {.capacity_milli = capacity}, random);
  Cluster cluster(fleet, list, policy);
  std::vector<Visit> visits;
  for (Node node = 0; node < fleet.rooms.size(); ++node) visit(visits, node, fleet.rooms[node]);
  fill(cluster, list, arrivals, capacity,
       [&](const Place& place) { visit(visits, place.node, cluster.rooms()[place.node]); });
  for (const Visit& one : visits) cells.add(one.part.cell, idle_of(cluster.rooms()[one.node], one.part.gpus));
}

}  // namespace

WasteTable::Content learn_waste(const PodList& list, const Fleet& fleet, const LearnOptions& options) {
  Random random(options.seed);
  WasteCells cells;
  const auto content = [&] {
    auto learned = cells.content(options.cells);
    learned.type_cost_milli = type_costs(list, fleet, options.type_cost_milli);
    return learned;
  };
  for (std::int64_t round = 0; round <= options.rounds; ++round) {
    std::unique_ptr<Policy> policy;
    if (round == 0) policy = std::make_unique<EngineFgdPolicy>(list, fleet);
    else policy = std::make_unique<WastePolicy>(content(), fleet);
    cells.fade(options.memory);
    for (std::int64_t i = 0; i < options.runs; ++i) run(*policy, list, fleet, random, cells);
  }
  return content();
}

}  // namespace ym::sim::placement
