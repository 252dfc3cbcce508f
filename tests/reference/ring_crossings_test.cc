// Random placements: a ring over the tasks of a gang leaves a domain no more often than necessary, at any level, and a
// gang that grows keeps its task 0.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/random.h"
#include "scenario/language/world.h"

namespace ym::reference {
namespace {

constexpr std::array<const char*, 3> kLevels{"zone", "block", "rack"};
constexpr const char* kIsland = "island";  // a label that the cluster does not name

using Domains = std::vector<std::string>;  // by task

// The domain of this label within the levels outside it. A node that lacks one of the labels is alone.
std::string domain_of(const Node& node, const std::string& level) {
  std::string path;
  for (const std::string label : kLevels) {
    if (level == kIsland) break;
    if (!node.labels.contains(label)) return "alone " + node.name;
    path += node.labels.at(label) + "/";
    if (label == level) return path;
  }
  return node.labels.contains(level) ? node.labels.at(level) : "alone " + node.name;
}

std::size_t crossings(const Domains& ring) {
  std::size_t found = 0;
  for (std::size_t task = 0; task < ring.size(); ++task) found += ring[task] != ring[(task + 1) % ring.size()];
  return found;
}

// One crossing into each domain, and one out of it.
std::size_t least_crossings(const Domains& ring) {
  const std::set<std::string> domains(ring.begin(), ring.end());
  return domains.size() == 1 ? 0 : domains.size();
}

struct CrossingsSeen {
  int gangs = 0, islands = 0, slices = 0, larger = 0;
  int worse_by_name = 0;  // of the placements, of which the ring would leave domains more often
};

class Placed {
 public:
  Placed(std::uint64_t seed, CrossingsSeen& seen) : luck_(seed), seen_(seen) {
    Cluster cluster{.name = "lab", .executor = "simulated"};
    cluster.topology = {kLevels.begin(), kLevels.end()};
    world_.apply(ClusterSet{cluster});
    for (std::int64_t i = 0, n = 8 + below(12); i < n; ++i) world_.apply(NodeSet{random_node(fmt::format("n{}", i))});
  }

  void run() {
    const JobSpec spec = random_gang();
    const JobId job = world_.submit(spec, testing::kStart);
    world_.commit(decide(), problems_);
    if (const Attempt* attempt = world_.tables().live_attempt(job)) {
      expect_few_crossings(spec, attempt->placement);
      if (spec.min_nodes) grow(job, spec);
    }
    EXPECT_EQ(problems_, std::vector<std::string>{});
  }

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(luck_.below(static_cast<std::uint64_t>(bound)));
  }
  engine::Plan decide() { return world_.decide({}, world_.now(), problems_); }

  Node random_node(const std::string& name) {
    Node node{.name = name, .cluster = "lab", .gpu_type = "t4", .cpus = 8 * kMilli, .memory_bytes = 8 * kGiB};
    node.devices.push_back({.id = "0"});
    for (const char* label : {"zone", "block", "rack", kIsland})
      if (below(12) > 0) node.labels[label] = fmt::format("{}{}", label, below(3));
    node.schedulable = below(3) > 0;
    return node;
  }

  JobSpec random_gang() {
    JobSpec spec;
    spec.resources.gpus = kMilli;
    spec.nodes = 2 + 2 * static_cast<std::int32_t>(below(5));
    if (below(2) == 0) spec.min_nodes = 2;
    if (below(4) == 0) spec.placement.edit().required_level = "zone";
    if (below(2) == 0) spec.placement.edit().preferred_level = below(2) == 0 ? "rack" : kIsland;
    if (below(4) == 0) spec.placement.edit().slice = SliceRule{.level = below(2) == 0 ? "rack" : kIsland, .nodes = 2};
    return spec;
  }

  // The other nodes are undrained, and the job grows onto them.
  void grow(JobId job, const JobSpec& spec) {
    const Attempt before = *world_.tables().live_attempt(job);
    world_.apply(AttemptStarted{before.key()});
    world_.advance(world_.now() + hours(2));
    ProgressReport saved;
    saved.checkpoint = Checkpoint{.uri = "file:/saved", .durable_at = world_.now(), .attempt = before.number};
    world_.apply(AttemptProgressed{.attempt = before.key(), .report = saved});
    for (auto [name, node] : std::map(world_.tables().nodes)) {
      node.schedulable = true;
      world_.apply(NodeSet{node});
    }
    const engine::Plan plan = decide();
    for (const engine::Decision& decision : plan.decisions)
      if (const auto* resize = std::get_if<engine::Resize>(&decision)) {
        seen_.larger += 1;
        EXPECT_EQ(resize->placement.front().node, before.placement.front().node);
        expect_few_crossings(spec, resize->placement);
      }
    world_.commit(plan, problems_);
  }

  Domains domains(const std::vector<TaskPlacement>& placement, const std::string& level) const {
    Domains ring;
    for (const auto& placed : placement) ring.push_back(domain_of(world_.tables().nodes.at(placed.node), level));
    return ring;
  }

  void expect_few_crossings(const JobSpec& spec, const std::vector<TaskPlacement>& placement) {
    const PlacementRules& rules = *spec.placement;
    const std::string named = rules.slice ? rules.slice->level : rules.preferred_level;
    seen_.gangs += 1;
    seen_.islands += named == kIsland;
    seen_.slices += rules.slice.has_value();
    auto by_name = placement;
    std::ranges::sort(by_name, {}, &TaskPlacement::node);
    // Islands cut across the levels: where islands come first, the levels need not be contiguous.
    const std::vector<std::string> levels =
        named == kIsland ? std::vector<std::string>{kIsland} : std::vector<std::string>(kLevels.begin(), kLevels.end());
    bool worse = false;
    for (const auto& level : levels) {
      const Domains ring = domains(placement, level);
      EXPECT_EQ(crossings(ring), least_crossings(ring)) << fmt::format("of the level {}", level);
      worse = worse || crossings(domains(by_name, level)) > least_crossings(ring);
    }
    seen_.worse_by_name += worse;
  }

  Random luck_;
  CrossingsSeen& seen_;
  testing::World world_;
  std::vector<std::string> problems_;
};

TEST(RandomPlacements, ARingLeavesADomainAsSeldomAsCanBe) {
  constexpr int kWorlds = 400;
  CrossingsSeen seen;
  for (std::uint64_t seed = 1; seed <= kWorlds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(fmt::format("world {}", seed));
    Placed(seed, seen).run();
  }
  if (::testing::Test::HasFailure()) return;
  EXPECT_GE(seen.gangs, kWorlds / 2);
  EXPECT_GE(seen.islands, kWorlds / 20);
  EXPECT_GE(seen.slices, kWorlds / 20);
  EXPECT_GE(seen.larger, kWorlds / 20);
  EXPECT_GE(seen.worse_by_name, kWorlds / 10);
}

}  // namespace
}  // namespace ym::reference
