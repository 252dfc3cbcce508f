#include "reference/wanted_nodes.h"

#include <algorithm>
#include <optional>

#include "reference/flavors.h"
#include "reference/machines.h"
#include "reference/quota.h"
#include "reference/sized.h"

namespace ym::reference {
namespace {

// What is free of a node.
struct Box {
  const Node* node = nullptr;  // null: it is to be made
  std::int64_t gpus = 0, cpus = 0, memory = 0;

  bool has(const TaskResources& task) const {
    return gpus >= task.gpus && cpus >= task.cpus && memory >= task.memory_bytes;
  }
  void take(const TaskResources& task) {
    gpus -= task.gpus;
    cpus -= task.cpus;
    memory -= task.memory_bytes;
  }
};

Box empty_box(const Node& node) {
  return {.node = &node, .gpus = std::ssize(node.devices) * kMilli, .cpus = node.cpus, .memory = node.memory_bytes};
}

// Nodes of a flavor: existing ones by name, then new ones.
struct FlavorNodes {
  std::vector<Box> boxes;
  std::int64_t there = 0, made = 0;
};

class Counter {
 public:
  explicit Counter(const Tables& tables) : t_(tables), machines_(tables) {
    for (const auto& [key, attempt] : t_.attempts)
      if (attempt.state != AttemptState::ended)
        charge(use_, t_.jobs.at(key.job), attempt.queue, attempt.flavor, attempt.placement.size());
    for (const auto& [name, flavor] : t_.flavors)
      if (flavor.elastic) flavor_nodes_[name] = flavor_nodes(name);
  }

  Wanted count(const std::vector<JobId>& waiting) {
    Wanted wanted;
    for (const JobId id : waiting) {
      const Job& job = t_.jobs.at(id);
      if (const auto flavor = flavor_for(sized(job, job.spec->smallest()))) wanted.told[id] = *flavor;
    }
    for (const auto& [name, flavor_nodes] : flavor_nodes_)
      wanted.nodes[name] = flavor_nodes.made == 0 ? 0 : flavor_nodes.there + flavor_nodes.made;
    return wanted;
  }

 private:
  FlavorNodes flavor_nodes(const std::string& flavor) const {
    FlavorNodes flavor_nodes;
    for (const auto& [name, node] : t_.nodes) {
      if (machines_.flavor_of(node) != flavor) continue;
      flavor_nodes.there += node.withheld.empty() || node.full ? 1 : 0;
      if (machines_.in_service(node)) flavor_nodes.boxes.push_back(box_of(node));
    }
    return flavor_nodes;
  }

  Box box_of(const Node& node) const {
    Box box = empty_box(node);
    for (const auto& [key, attempt] : t_.attempts)
      for (const auto& placed : attempt.placement)
        if (attempt.state != AttemptState::ended && placed.node == node.name)
          box.take(t_.jobs.at(key.job).spec->resources);
    return box;
  }

  NaiveQuota quota() const { return {t_.queues, use_}; }

  // The first flavor with quota and enough boxes, some of them new. The boxes belong to the job from then on.
  std::optional<std::string> flavor_for(const Job& job) {
    if (job.state != JobState::queued || !quota().can_hold_jobs(job.queue)) return std::nullopt;
    for (const auto& flavor : tried_choices(t_, quota(), job)) {
      if (!flavor_nodes_.contains(flavor) || !suits(job, t_.flavors.at(flavor))) continue;
      if (!quota().covers_ever(job, flavor) || !quota().covers_now(job, flavor)) continue;
      const auto boxes = boxes_for(job, flavor);
      if (!boxes) continue;
      charge(use_, job, job.queue, flavor, static_cast<std::size_t>(job.spec->nodes));
      return put_into(flavor, *boxes, job) ? std::optional(flavor) : std::nullopt;
    }
    return std::nullopt;
  }

  static bool suits(const Job& job, const Flavor& flavor) {
    const Node& fresh = flavor.elastic->node;
    return job.spec->nodes <= flavor.elastic->max_nodes && empty_box(fresh).has(job.spec->resources) &&
           Machines::rules_allow(job.spec->resources, *job.spec->placement, fresh);
  }

  // By place; places beyond the last box are new nodes. A single task would have started on an existing node.
  std::optional<std::vector<std::size_t>> boxes_for(const Job& job, const std::string& flavor) const {
    const FlavorNodes& flavor_nodes = flavor_nodes_.at(flavor);
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < flavor_nodes.boxes.size() && std::ssize(places) < job.spec->nodes; ++place) {
      const Box& box = flavor_nodes.boxes[place];
      const bool usable = !box.node || (job.spec->nodes > 1 && machines_.rules_allow(job, *box.node, flavor));
      if (usable && box.has(job.spec->resources)) places.push_back(place);
    }
    const auto missing = static_cast<std::size_t>(job.spec->nodes) - places.size();
    const std::int64_t most = t_.flavors.at(flavor).elastic->max_nodes;
    if (missing > 0 && flavor_nodes.there + flavor_nodes.made + static_cast<std::int64_t>(missing) > most)
      return std::nullopt;
    for (std::size_t n = 0; n < missing; ++n) places.push_back(flavor_nodes.boxes.size() + n);
    return places;
  }

  // Whether some of the boxes are new.
  bool put_into(const std::string& flavor, const std::vector<std::size_t>& places, const Job& job) {
    FlavorNodes& flavor_nodes = flavor_nodes_.at(flavor);
    bool any_new = false;
    for (const std::size_t place : places) {
      if (place >= flavor_nodes.boxes.size()) {
        flavor_nodes.boxes.push_back(empty_box(t_.flavors.at(flavor).elastic->node));
        flavor_nodes.boxes.back().node = nullptr;
        flavor_nodes.made += 1;
      }
      flavor_nodes.boxes[place].take(job.spec->resources);
      any_new = any_new || !flavor_nodes.boxes[place].node;
    }
    return any_new;
  }

  const Tables& t_;
  Machines machines_;
  Use use_;
  std::map<std::string, FlavorNodes> flavor_nodes_;  // by elastic flavor
};

}  // namespace

Wanted wanted_nodes(const Tables& tables, const std::vector<JobId>& waiting) { return Counter(tables).count(waiting); }

}  // namespace ym::reference
