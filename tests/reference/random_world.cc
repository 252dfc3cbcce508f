#include "reference/random_world.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace ym::reference {
namespace {

constexpr std::array<const char*, 5> kTypes{"", "t4", "t4", "t4", "a100"};
// Some exist from the beginning, some are created later, some stay names in a quota.
constexpr std::array<const char*, 3> kFlavorsOfWorlds{"a", "b", "default"};

std::string queue_name(std::int64_t i) { return "q" + std::to_string(i); }
bool has_children(const Tables& tables, const std::string& queue) {
  return std::ranges::any_of(tables.queues, [&](const auto& entry) { return entry.second.parent == queue; });
}

std::string node_name(std::int64_t i) { return "n" + std::to_string(i); }

}  // namespace

RandomWorld::RandomWorld(std::uint64_t seed, bool aging, Limits limits)
    : random_(seed),
      aging_(aging),
      roomy_(seed % 3 == 0),
      parted_(seed % 4 == 1),
      spotty_(seed % 5 == 0),
      grouped_(seed % 7 == 2),
      limits_(limits) {
  world_.compare_every(3);
  if (one_in(3)) world_.apply(ClusterSet{{.name = "east", .executor = "simulated", .available = !one_in(6)}});
  if (one_in(2)) world_.apply(ClusterSet{{.name = "lab", .executor = "simulated", .topology = topology()}});
  for (auto n = spotty_ ? 6 : below(4); n > 0; --n) set_flavor();
  for (std::int64_t i = 0, n = (roomy_ ? 8 : 2) + below(6); i < n; ++i) set_node(node_name(i));
  for (std::int64_t i = 0, n = 1 + below(7); i < n; ++i) set_queue(queue_name(i));
}

std::map<std::string, std::string> RandomWorld::labels() {
  if (!one_in(3)) return {};
  return {{"rack", one_in(2) ? "r1" : "r2"}};
}

std::vector<std::string> RandomWorld::topology() {
  if (one_in(3)) return {};
  return one_in(2) ? std::vector<std::string>{"rack"} : std::vector<std::string>{"block", "rack"};
}

std::string RandomWorld::level() { return one_in(8) ? "row" : one_in(3) ? "block" : "rack"; }

void RandomWorld::set_flavor() {
  Flavor flavor{.name = kFlavorsOfWorlds.at(static_cast<std::size_t>(below(2)))};
  flavor.rank = static_cast<std::int32_t>(below(3));
  if (one_in(spotty_ ? 6 : 2)) flavor.gpu_type = one_in(3) ? "a100" : "t4";
  if (one_in(5)) flavor.cluster = one_in(2) ? "lab" : "east";
  if (one_in(4)) flavor.labels = labels();
  if (limits_ == Limits::some) flavor.price_micros_per_gpu_hour = below(4) * 500'000;
  flavor.spot = spotty_ ? flavor.name == "b" : one_in(3);
  if (spotty_) flavor.labels = {{"buy", flavor.spot ? "spot" : "od"}};
  world_.apply(FlavorSet{flavor});
}

void RandomWorld::set_node(const std::string& name) {
  Node node{.name = name, .cluster = one_in(world_.tables().clusters.size() > 1 ? 3 : 30) ? "east" : "lab"};
  node.gpu_type = kTypes.at(static_cast<std::size_t>(below(5)));
  if (!node.gpu_type.empty()) add_devices(node);
  node.cpus = (2 + below(roomy_ ? 30 : 8)) * kMilli;
  node.memory_bytes = (2 + below(roomy_ ? 30 : 8)) * kGiB;
  node.labels = labels();
  if (one_in(2)) node.labels["rack"] = one_in(2) ? "r1" : "r2";
  if (one_in(2)) node.labels["block"] = one_in(2) ? "b1" : "b2";
  if (spotty_) node.labels["buy"] = one_in(2) ? "spot" : "od";
  node.schedulable = !one_in(10);
  world_.apply(NodeSet{node});
}

void RandomWorld::add_devices(Node& node) {
  for (std::int64_t i = 0, n = 1 + below(4); i < n; ++i)
    node.devices.push_back({.id = std::to_string(i), .healthy = !one_in(12)});
  if (!parted_) return;
  if (one_in(3))
    for (auto& device : node.devices) device.memory_bytes = (one_in(4) ? 8 : 16) * kGiB;
  for (std::int64_t i = 0, n = one_in(3) ? below(5) : 0; i < n; ++i)
    node.devices.push_back(
        {.id = "m" + std::to_string(i), .healthy = !one_in(12), .profile = one_in(2) ? "1g.5gb" : "3g.20gb"});
}

// Some ask for parts of GPUs.
void RandomWorld::want_parts(TaskResources& task) {
  if (!parted_ || task.gpus == 0 || one_in(3)) return;
  if (one_in(4)) {
    task.profile = one_in(2) ? "1g.5gb" : "3g.20gb";
    task.slices = 1 + below(2);
    task.gpus = task.slices * *slice_milli(task.profile);
  } else {
    task.gpus = 100 * (1 + below(9));
    task.gpu_memory_bytes = (1 + below(8)) * kGiB;
  }
}

void RandomWorld::want_groups(JobSpec& spec) {
  const TaskResources first = spec.resources;
  spec.min_nodes.reset();
  spec.placement.edit().slice.reset();
  spec.placement.edit().anchor = 0;
  spec.resources = {};
  spec.nodes = 0;
  for (std::int64_t group = 0, n = 2 + below(2); group < n; ++group) {
    TaskGroup one{.name = std::to_string(group), .nodes = 1 + static_cast<std::int32_t>(below(2)), .resources = first};
    one.resources.other_gpu_types.clear();
    if (!one_in(4))
      one.resources = {.gpus = below(4) * kMilli, .cpus = below(4) * kMilli, .memory_bytes = below(3) * kGiB};
    if (one_in(3)) one.resources.gpu_type = one_in(2) ? "a100" : "t4";
    if (group == 0) want_parts(one.resources);
    spec.nodes += one.nodes;
    spec.groups.push_back(std::move(one));
  }
}

void RandomWorld::submit(Instant now) {
  JobSpec spec;
  // Mostly leaf queues: a few jobs are enough to show errors in other queues.
  const auto* queue = any(world_.tables().queues);
  for (int tries = 0; tries < 3 && queue && has_children(world_.tables(), queue->name); ++tries)
    queue = any(world_.tables().queues);
  spec.queue = queue && !one_in(40) ? queue->name : "gone";
  spec.nodes = one_in(3) ? 2 + static_cast<std::int32_t>(below(3)) : 1;
  if (spec.nodes > 1 && one_in(2)) spec.min_nodes = 1 + static_cast<std::int32_t>(below(spec.nodes - 1));
  spec.priority = 50 + 10 * static_cast<std::int32_t>(below(3));
  spec.resources.gpus = below(one_in(4) ? 5 : 3) * kMilli;
  want_parts(spec.resources);
  if (one_in(4)) spec.resources.gpu_type = one_in(3) ? "a100" : "t4";
  if (spec.resources.gpu_type == "a100" && spec.resources.gpus > 0 && one_in(2))
    spec.resources.other_gpu_types = {"t4"};
  spec.resources.cpus = one_in(5) ? 0 : (1 + below(5)) * 500;
  spec.resources.memory_bytes = below(3) * kGiB;
  if (one_in(6)) spec.placement.edit().select = labels();
  if (one_in(6)) spec.placement.edit().exclude = {node_name(below(4))};
  if (one_in(4)) spec.placement.edit().required_level = level();
  if (one_in(4)) spec.placement.edit().preferred_level = level();
  if (spec.nodes > 1 && spec.nodes % 2 == 0 && spec.smallest() % 2 == 0 && one_in(2))
    spec.placement.edit().slice = {.level = level(), .nodes = 2};
  else if (one_in(spotty_ && spec.nodes > 1 ? 2 : 4))
    spec.placement.edit().anchor = 1 + static_cast<std::int32_t>(below(spec.smallest()));
  if (grouped_ && one_in(2)) want_groups(spec);
  if (one_in(2)) spec.time_limit = minutes(10 + 10 * below(4));
  if (one_in(3)) spec.deadline = now + minutes(30 * below(4));
  spec.stop.preemptible = !one_in(8);
  if (one_in(5)) spec.stop.min_runtime = minutes(5 + below(40));
  spec.stop.grace = seconds(below(90));
  submit(spec, now);
}

// One or a few of a kind.
void RandomWorld::submit(const JobSpec& spec, Instant now) {
  const auto copies = one_in(4) ? 3 : 1;
  for (int i = 0; i < copies; ++i) {
    const JobId id = world_.submit(spec, now - Duration{below(3) * 1'200'000},
                                   one_in(15) ? JobState::held : JobState::queued, one_in(2) ? "ann" : "bob");
    const Duration usual = minutes(1 + below(60));
    if (one_in(3))
      world_.apply(RunTimePredicted{
          id, {.p10 = minutes(1), .p50 = usual, .p90 = usual + usual, .samples = 3, .of_same_user = one_in(2)}});
  }
}

void RandomWorld::change_job(Instant now) {
  const auto& jobs = world_.tables().jobs;
  if (jobs.empty()) return;
  const Job& job = std::next(jobs.begin(), below(static_cast<std::int64_t>(jobs.size())))->second;
  const JobId id = job.id;
  if (world_.tables().live_attempt(id)) {
    if (one_in(5) && job.state == JobState::starting)
      world_.apply(ContactLost{world_.tables().live_attempt(id)->key()});
    else if (one_in(3) && !job.cancel_requested)
      world_.requeue(id, one_in(2) ? std::optional(now + Duration{below(40) * 60'000}) : std::nullopt);
    else world_.end(id);
  } else if (job.state == JobState::held) {
    world_.apply(JobReleased{id});
  } else if (job.state == JobState::queued) {
    const bool never = job.pending == ReasonCode::exceeds_capacity || job.pending == ReasonCode::misconfigured;
    if (!never && one_in(8)) world_.apply(CancelRequested{id});
    else if (!never && one_in(8)) world_.apply(JobHeld{id});
    else if (never || one_in(4)) world_.apply(JobFinished{.job = id, .state = JobState::cancelled});
  }
}

void RandomWorld::change_machines() {
  const auto* found = any(world_.tables().nodes);
  if (!found) return set_node("n0");
  Node node = *found;
  if (one_in(4)) {
    world_.apply(NodeRemoved{node.name});
  } else if (one_in(3)) {
    set_node(node_name(below(6)));
  } else {
    if (one_in(2)) node.schedulable = !node.schedulable;
    else if (!node.devices.empty()) node.devices.front().healthy = !node.devices.front().healthy;
    world_.apply(NodeSet{node});
  }
}

void RandomWorld::change_configuration() {
  const auto& tables = world_.tables();
  switch (below(6)) {
    case 0: return set_flavor();
    case 1:
      if (const auto* flavor = any(tables.flavors)) world_.apply(FlavorRemoved{std::string(flavor->name)});
      return;
    case 2:
      if (const auto* queue = any(tables.queues); queue && one_in(2))
        world_.apply(QueueRemoved{std::string(queue->name)});
      return;
    case 3:
      if (const auto* found = any(tables.clusters)) {
        Cluster cluster = *found;
        if (one_in(2)) cluster.available = !cluster.available;
        else cluster.topology = topology();
        world_.apply(ClusterSet{cluster});
      }
      return;
    case 4:
      if (tables.clusters.contains("east") && one_in(3)) world_.apply(ClusterRemoved{"east"});
      return;
    default: return set_queue(queue_name(below(7)));
  }
}

void RandomWorld::step(Instant now) {
  if (one_in(3)) world_.apply(UsageSampled{usage_grid(now), kWholePart - kWholePart / (4 + below(60))});
  for (auto n = 1 + below(3); n > 0; --n) submit(now);
  for (auto n = below(6); n > 0; --n) change_job(now);
  if (one_in(5)) change_machines();
  if (limits_ == Limits::some && one_in(6)) add_advance_reservations(now);
  if (const auto* old = any(world_.tables().reservations); old && one_in(6))
    world_.apply(ReservationRemoved{std::string(old->name)});
  if (one_in(6)) change_configuration();
}

}  // namespace ym::reference
