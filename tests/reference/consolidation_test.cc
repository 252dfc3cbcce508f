// Random worlds with consolidation: a moved job finds room again, and so does the job that it was moved for. All ways
// of packing the jobs are tried, to check that the engine never claims one that does not exist.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/random.h"
#include "reference/random_life.h"
#include "scenario/language/world.h"

namespace ym::reference {
namespace {

constexpr std::int64_t kGpusOfNode = 4;

struct Wanted {
  std::int64_t nodes = 0, gpus = 0;  // whole gang: nodes, and GPUs of each
};

// Whether the single jobs, of these numbers of GPUs, and the gang fit on empty nodes together.
bool packs(std::vector<std::int64_t> free, const std::vector<std::int64_t>& jobs, std::size_t next) {
  if (next == jobs.size()) return true;
  for (std::size_t node = 0; node < free.size(); ++node) {
    if (free[node] < jobs[next]) continue;
    free[node] -= jobs[next];
    if (packs(free, jobs, next + 1)) return true;
    free[node] += jobs[next];
  }
  return false;
}

class Town {
 public:
  explicit Town(std::uint64_t seed) : luck_(seed) {
    nodes_ = 2 + luck_.below(3);
    for (std::uint64_t i = 0; i < nodes_; ++i) {
      Node node{.name = "n" + std::to_string(i), .cluster = "lab", .gpu_type = "t4", .cpus = 64 * kMilli};
      for (std::int64_t gpu = 0; gpu < kGpusOfNode; ++gpu) node.devices.push_back({.id = std::to_string(gpu)});
      world_.apply(NodeSet{node});
    }
    settle();
  }

  // Running jobs at arbitrary places. Some of them may not be moved.
  void settle() {
    for (std::uint64_t node = 0; node < nodes_; ++node) {
      std::int64_t next = 0;
      for (auto left = 1 + luck_.below(2); left > 0 && next < kGpusOfNode; --left) {
        const std::int64_t gpus = 1 + static_cast<std::int64_t>(luck_.below(2));
        if (next + gpus > kGpusOfNode) break;
        run_on(node, next, gpus);
        next += gpus;
      }
    }
  }

  // A gang of whole nodes, or nearly whole ones, that has waited long.
  void want() {
    JobSpec spec{.name = "gang"};
    spec.nodes = 1 + static_cast<std::int32_t>(luck_.below(2));
    wanted_ = {.nodes = spec.nodes, .gpus = kGpusOfNode - static_cast<std::int64_t>(luck_.below(2))};
    spec.resources.gpus = wanted_.gpus * kMilli;
    spec.time_limit = hours(1);
    gang_ = world_.submit(spec, testing::kStart);
    world_.advance(testing::kStart + hours(5));
  }

  bool packs() const {
    std::vector<std::int64_t> free(nodes_, kGpusOfNode), movable;
    for (const auto& [node, gpus] : fixed_) free[node] -= gpus;
    movable = gpus_;
    std::ranges::sort(movable, std::greater<>());
    return place_gang(free, movable, 0, wanted_.nodes);
  }

  // Returns whether jobs were moved for the gang. Then runs until all is quiet.
  bool decide() {
    const engine::Policy policy{.consolidation = Consolidation::on, .age_cap = hours(1000)};
    bool moved = false;
    for (int round = 0; round < 6; ++round) {
      world_.advance(world_.now() + minutes(1));
      const auto plan = world_.decide(policy, world_.now(), problems_);
      moved = moved || !plan.decisions.empty();
      moves_ += std::ranges::count_if(plan.decisions,
                                      [](const auto& one) { return std::holds_alternative<engine::Preemption>(one); });
      world_.commit(plan, problems_);
      let_leave(world_);
    }
    return moved;
  }

  bool all_run() const {
    return std::ranges::all_of(world_.tables().jobs, [](const auto& entry) { return is_active(entry.second.state); });
  }
  bool gang_runs() const { return is_active(world_.tables().jobs.at(gang_).state); }
  std::int64_t moves() const { return moves_; }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  void run_on(std::uint64_t node, std::int64_t first, std::int64_t gpus) {
    JobSpec spec{.name = "small"};
    spec.resources.gpus = gpus * kMilli;
    spec.stop.preemptible = luck_.below(5) > 0;
    engine::Admission admission{.job = world_.submit(spec, testing::kStart), .cluster = "lab", .flavor = "default"};
    admission.placement = {{.task = 0, .node = "n" + std::to_string(node), .devices = {}}};
    for (std::int64_t gpu = first; gpu < first + gpus; ++gpu)
      admission.placement[0].devices.push_back(std::to_string(gpu));
    world_.start(admission);
    if (spec.stop.preemptible) gpus_.push_back(gpus);
    else fixed_.emplace_back(node, gpus);
  }

  bool place_gang(std::vector<std::int64_t> free, const std::vector<std::int64_t>& movable, std::size_t from,
                  std::int64_t left) const {
    if (left == 0) return reference::packs(free, movable, 0);
    for (std::size_t node = from; node < free.size(); ++node) {
      if (free[node] < wanted_.gpus) continue;
      free[node] -= wanted_.gpus;
      if (place_gang(free, movable, node + 1, left - 1)) return true;
      free[node] += wanted_.gpus;
    }
    return false;
  }

  Random luck_;
  testing::World world_;
  std::uint64_t nodes_ = 0;
  Wanted wanted_;
  JobId gang_;
  std::vector<std::int64_t> gpus_;                             // of those that can be moved
  std::vector<std::pair<std::uint64_t, std::int64_t>> fixed_;  // of the others: node and GPUs
  std::int64_t moves_ = 0;
  std::vector<std::string> problems_;
};

TEST(RandomWorlds, AMovedJobFindsRoomAgain) {
  const char* many = std::getenv("YM_WORLDS");
  const int worlds = many ? std::atoi(many) : 1000;
  int possible = 0, found = 0, moved = 0;
  for (int seed = 1; seed <= worlds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("world {}", seed));
    Town town(static_cast<std::uint64_t>(seed));
    town.want();
    const bool packs = town.packs();
    town.decide();
    EXPECT_EQ(town.problems(), std::vector<std::string>{});
    if (town.moves() > 0) {
      EXPECT_TRUE(packs) << "moved in vain";
      EXPECT_TRUE(town.all_run()) << "somebody was moved to nowhere";
      EXPECT_EQ(town.moves(), 1);
    }
    possible += packs;
    found += packs && town.gang_runs();
    moved += town.moves() > 0;
  }
  // The search is not exhaustive: a moved job has to find room beside the jobs that stay.
  EXPECT_GE(moved, worlds / 10);
  EXPECT_GE(found, possible * 9 / 10) << found << " of " << possible;
}

}  // namespace
}  // namespace ym::reference
