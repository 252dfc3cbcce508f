// Worlds in which jobs preempt each other for quota.
#include "reference/random_world.h"

namespace ym::reference {
namespace {

PreemptRule rule(Random& luck, std::uint64_t rarely) {
  if (luck.below(rarely) != 0) return PreemptRule::any;
  return luck.below(2) == 0 ? PreemptRule::never : PreemptRule::lower_priority;
}

}  // namespace

void share_quota(testing::World& world, Random& luck, std::uint64_t most) {
  Queue org;
  org.name = "q0";
  world.apply(QueueSet{org});
  for (int i = 1; i < 7; ++i) {
    Queue queue;
    queue.name = "q" + std::to_string(i);
    queue.parent = i < 6 ? "q0" : "q5";
    queue.preempt = luck.below(4) == 0 ? PreemptRule::never : PreemptRule::lower_priority;
    queue.reclaim = rule(luck, 6);
    if (luck.below(4) == 0) queue.preempt_to_borrow = static_cast<std::int32_t>(10 * luck.below(11));
    if (luck.below(6) == 0) queue.min_runtime = {.priority = minutes(10), .reclaim = minutes(20)};
    queue.fence = luck.below(12) == 0;
    FlavorQuota gpus;
    const auto nominal = static_cast<std::int64_t>(luck.below(most)) * kMilli;
    gpus[static_cast<std::size_t>(ResourceKind::gpus)] =
        Quota{.nominal = nominal, .borrowing_limit = {}, .lending_limit = {}};
    if (luck.below(5) != 0) queue.quota = QuotaList{{"a", gpus}, {"b", gpus}, {std::string(kDefaultFlavor), gpus}};
    world.apply(QueueSet{queue});
  }
}

void crowd(testing::World& world, Random& luck) {
  for (int i = 0; i < 24; ++i) {
    JobSpec spec;
    spec.queue = "q" + std::to_string(1 + luck.below(3));
    spec.priority = 40 + 10 * static_cast<std::int32_t>(luck.below(2));
    spec.resources.gpus = kMilli;
    spec.stop.grace = seconds(static_cast<std::int64_t>(luck.below(60)));
    world.submit(spec, world.now());
  }
}

void same_machines(testing::World& world, int gpus) {
  for (int i = 0; i < 3; ++i) {
    Node node{.name = "n" + std::to_string(i), .cluster = "lab", .gpu_type = "t4"};
    for (int device = 0; device < gpus; ++device) node.devices.push_back({.id = std::to_string(device)});
    node.cpus = 4 * gpus * kMilli;
    node.memory_bytes = 4 * gpus * kGiB;
    world.apply(NodeSet{node});
  }
}

}  // namespace ym::reference
