#include "reference/elastic_world.h"

#include <algorithm>
#include <array>

namespace ym::reference {
namespace {

// A label tells which of them matches a node, so that no flavor has the nodes of another.
constexpr const char* kLabel = "pool";
constexpr std::array<const char*, 2> kElastic{"burst", "extra"};
constexpr std::int64_t kWholeGpus = 4;
constexpr const char* kZone = "zone";

std::string queue_name(std::int64_t i) { return "q" + std::to_string(i); }

Node node_with(std::int64_t gpus, std::int64_t cpus) {
  Node node{.gpu_type = gpus > 0 ? "t4" : "", .cpus = cpus * kMilli, .memory_bytes = 16 * kGiB};
  for (std::int64_t i = 0; i < gpus; ++i) node.devices.push_back({.id = std::to_string(i)});
  return node;
}

}  // namespace

ElasticWorld::ElasticWorld(std::uint64_t seed, Kind kind) : random_(seed), kind_(kind) {
  world_.compare_every(3);
  world_.apply(ClusterSet{{.name = "cloud", .executor = "simulated"}});
  if (kind == Kind::any && one_in(2)) {
    world_.apply(
        FlavorSet{{.name = "own", .cluster = "lab", .labels = {}, .rank = static_cast<std::int32_t>(below(3))}});
    for (std::int64_t i = 0, n = 1 + below(3); i < n; ++i) {
      Node node = node_with(1 + below(4), 4 + below(8));
      node.name = "own" + std::to_string(i);
      node.cluster = "lab";
      world_.apply(NodeSet{node});
    }
  }
  if (kind == Kind::varied) world_.apply(ClusterSet{{.name = "cloud", .executor = "simulated", .topology = {kZone}}});
  set_flavor(kElastic[0]);
  if (kind == Kind::varied) set_other_nodes();
  if (kind != Kind::whole && one_in(2)) set_flavor(kElastic[1]);
  for (std::int64_t i = 0, n = 1 + below(3); i < n; ++i) set_queue(queue_name(i));
}

void ElasticWorld::set_flavor(const std::string& name) {
  const bool whole = kind_ != Kind::any;
  Flavor flavor{.name = name, .cluster = "cloud", .labels = {{kLabel, name}}};
  flavor.rank = static_cast<std::int32_t>(below(3));
  if (whole || !one_in(8)) {
    // The description of its nodes does not change. Otherwise existing nodes would differ from new ones.
    const auto present = tables().flavors.find(name);
    const bool known = present != tables().flavors.end() && present->second.elastic;
    flavor.elastic = ElasticCapacity{
        .max_nodes = 1 + below(6),
        .provisioning = minutes(1 + below(20)),
        .node = known ? present->second.elastic->node : node_with(whole ? kWholeGpus : 1 + below(8), 4 + below(8))};
    flavor.elastic->node.cluster = flavor.cluster;
    flavor.elastic->node.labels = flavor.labels;
    if (kind_ == Kind::varied) flavor.elastic->node.labels[kZone] = "a";
  }
  if (const auto present = tables().flavors.find(name); present != tables().flavors.end())
    flavor.wanted = present->second.wanted;
  world_.apply(FlavorSet{flavor});
}

void ElasticWorld::set_queue(const std::string& name) {
  Queue queue;
  queue.name = name;
  if (kind_ == Kind::any && name != queue_name(0) && one_in(3)) queue.parent = queue_name(9);
  if (!queue.parent.empty() && !tables().queues.contains(queue.parent)) {
    Queue cohort;
    cohort.name = queue.parent;
    world_.apply(QueueSet{cohort});
  }
  if (one_in(3)) queue.reservations = static_cast<std::int32_t>(below(4));
  if (kind_ == Kind::varied && one_in(2))
    queue.quota.emplace()["burst"][static_cast<std::size_t>(ResourceKind::gpus)] = {
        .nominal = (1 + below(4)) * kWholeGpus * kMilli, .borrowing_limit = {}, .lending_limit = {}};
  if (kind_ == Kind::any && !one_in(4)) {
    auto& quota = queue.quota.emplace();
    for (const char* flavor : {"burst", "own", "extra"}) {
      if (one_in(4)) continue;
      Quota gpus{.nominal = below(20) * kMilli, .borrowing_limit = {}, .lending_limit = {}};
      if (one_in(3)) gpus.borrowing_limit = below(8) * kMilli;
      quota[flavor][static_cast<std::size_t>(ResourceKind::gpus)] = gpus;
    }
  }
  world_.apply(QueueSet{queue});
}

void ElasticWorld::submit(Instant now) {
  JobSpec spec;
  spec.queue = queue_name(below(3));
  spec.nodes = one_in(2) ? 1 : 2 + static_cast<std::int32_t>(below(3));
  spec.priority = 50 + 10 * static_cast<std::int32_t>(below(3));
  spec.resources = {.gpus = below(7) * kMilli, .cpus = (1 + below(4)) * kMilli, .memory_bytes = below(8) * kGiB};
  if (kind_ != Kind::any) {
    spec.resources = {.gpus = kWholeGpus * kMilli, .cpus = kMilli, .memory_bytes = kGiB};
    if (kind_ == Kind::varied) vary(spec);
  } else {
    if (spec.nodes > 1 && one_in(4)) spec.min_nodes = 1 + static_cast<std::int32_t>(below(spec.nodes - 1));
    if (one_in(6)) spec.resources.gpu_type = one_in(3) ? "a100" : "t4";
    if (one_in(6)) spec.placement.edit().select = {{kLabel, kElastic.at(static_cast<std::size_t>(below(2)))}};
  }
  if (one_in(2)) spec.time_limit = minutes(5 + 10 * below(5));
  spec.stop.grace = seconds(below(90));
  for (std::int64_t copies = one_in(4) ? 3 : 1; copies > 0; --copies)
    world_.submit(spec, now - minutes(below(90)), one_in(15) ? JobState::held : JobState::queued);
}

// Varies the job so that new nodes can still run all of it.
void ElasticWorld::vary(JobSpec& spec) {
  if (one_in(3)) spec.resources.gpu_type = "t4";
  if (spec.nodes == 1) return;
  if (one_in(3)) spec.placement.edit().required_level = kZone;
  if (spec.nodes == 4 && one_in(2)) spec.placement.edit().slice = {.level = kZone, .nodes = 2};
  if (one_in(2)) {
    for (const std::int32_t nodes : {1, spec.nodes - 1}) {
      spec.groups.push_back(
          {.name = "g" + std::to_string(spec.groups.size()), .nodes = nodes, .resources = spec.resources});
      spec.groups.back().resources.gpu_type = one_in(2) ? "t4" : "";
      spec.groups.back().resources.cpus = (1 + below(4)) * kMilli;
    }
    spec.placement.edit().slice.reset();
  } else if (one_in(3)) {
    spec.resources.gpu_type = "a100";
    spec.resources.other_gpu_types = {"t4"};
  }
}

// Nodes in another zone, of another type, with fewer CPUs.
void ElasticWorld::set_other_nodes() {
  for (std::int64_t i = 0, n = below(4); i < n; ++i) {
    Node node = node_with(kWholeGpus, 1 + below(4));
    node.name = (one_in(2) ? "a" : "z") + std::to_string(i);
    node.cluster = "cloud";
    node.labels = {{kLabel, kElastic[0]}, {kZone, one_in(2) ? "a" : "b"}};
    if (one_in(3)) node.gpu_type = "a100";
    world_.apply(NodeSet{node});
    permanent_.insert(node.name);
  }
}

void ElasticWorld::change_jobs() {
  for (const auto& [id, job] : RowTable(tables().jobs)) {
    if (const Attempt* live = tables().live_attempt(id)) {
      const bool leaves = live->stop_cause.has_value();
      if (leaves && one_in(2)) world_.requeue(id, std::nullopt);
      else if (!leaves && one_in(4)) world_.end(id);
    } else if (job.state == JobState::queued && one_in(6)) {
      world_.apply(JobFinished{.job = id, .state = JobState::cancelled});
    }
  }
}

std::int64_t ElasticWorld::there(const Flavor& flavor) const {
  return std::ranges::count_if(
      tables().nodes, [&](const auto& entry) { return flavor.matches(entry.second) && entry.second.is_there(); });
}

bool ElasticWorld::is_used(const std::string& node) const {
  return std::ranges::any_of(tables().attempts, [&](const auto& entry) {
    return entry.second.state != AttemptState::ended &&
           std::ranges::find(entry.second.placement, node, &TaskPlacement::node) != entry.second.placement.end();
  });
}

// A node arrives under an arbitrary name.
void ElasticWorld::receive(const Flavor& flavor) {
  Node node = flavor.elastic->node;
  last_node_ += 1;
  node.name = "n" + std::to_string(100 + last_node_ * 37 % 800) + "-" + std::to_string(last_node_);
  // It boots, at first.
  if (kind_ == Kind::any && one_in(4)) node.withheld = "NotReady";
  world_.apply(NodeSet{node});
}

void ElasticWorld::change_nodes() {
  for (const auto& [name, flavor] : std::map(tables().flavors))
    for (std::int64_t missing = flavor.elastic ? flavor.wanted.nodes - there(flavor) : 0; missing > 0; --missing)
      if (one_in(2)) receive(flavor);
  for (auto [name, node] : std::map(tables().nodes)) {
    if (node.cluster != "cloud") continue;
    if (may_go(name) && one_in(4)) {
      world_.apply(NodeRemoved{name});
    } else if (kind_ == Kind::any && node.in_service() && one_in(10)) {
      node.withheld = "has its maximum number of pods";
      node.full = true;
      world_.apply(NodeSet{node});
    } else if (one_in(10) || !node.in_service()) {
      if (node.withheld.empty()) node.schedulable = !node.schedulable;
      node.withheld.clear();
      node.full = false;
      world_.apply(NodeSet{node});
    }
  }
}

void ElasticWorld::step(Instant now) {
  change_jobs();
  change_nodes();
  for (std::int64_t n = below(4); n > 0; --n) submit(now);
  if (one_in(6)) set_queue(queue_name(below(3)));
  if (one_in(6)) set_flavor(kElastic[0]);
}

void ElasticWorld::receive_all() {
  for (const auto& [name, flavor] : std::map(tables().flavors))
    for (std::int64_t missing = flavor.elastic ? flavor.wanted.nodes - there(flavor) : 0; missing > 0; --missing)
      receive(flavor);
}

bool ElasticWorld::receive_one() {
  for (const auto& [name, flavor] : std::map(tables().flavors)) {
    if (!flavor.elastic || flavor.wanted.nodes <= there(flavor)) continue;
    receive(flavor);
    return true;
  }
  return false;
}

void ElasticWorld::take_back() {
  for (const auto& [name, flavor] : std::map(tables().flavors))
    for (const auto& [node, row] : std::map(tables().nodes))
      if (flavor.elastic && flavor.matches(row) && there(flavor) > flavor.wanted.nodes && may_go(node))
        world_.apply(NodeRemoved{node});
}

void ElasticWorld::end_all() {
  for (const auto& [id, job] : RowTable(tables().jobs))
    if (const Attempt* live = tables().live_attempt(id)) {
      if (live->stop_cause) world_.requeue(id, std::nullopt);
      else world_.end(id);
    }
}

void ElasticWorld::withdraw_all() {
  for (const auto& [id, job] : RowTable(tables().jobs))
    if (!tables().live_attempt(id) && (job.state == JobState::queued || job.state == JobState::held))
      world_.apply(JobFinished{.job = id, .state = JobState::cancelled});
}

}  // namespace ym::reference
