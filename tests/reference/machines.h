// Naive machines: what runs where and what is free, looked up in the tables each time.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/scoring.h"
#include "model/tables.h"
#include "reference/devices.h"
#include "reference/together.h"

namespace ym::reference {

class Machines {
 public:
  explicit Machines(const Tables& tables, Scoring scoring = Scoring::fgd) : tables_(tables), scoring_(scoring) {}

  void take(const JobSpec& spec, const std::vector<TaskPlacement>& placement);

  // Whether the node is of the flavor and the job may use it, free or not.
  bool rules_allow(const Job& job, const Node& node, const std::string& flavor) const;
  static bool rules_allow(const TaskResources& task, const PlacementRules& rules, const Node& node);
  std::string flavor_of(const Node& node) const;
  // Nodes on which a task could run if nothing else ran, in groups with enough of them.
  std::set<std::string> suitable_nodes(const Job& job, const std::string& flavor) const;
  // Nodes on which a task could run once other jobs have ended, without any repair or undrain.
  std::set<std::string> serving_nodes(const Job& job, const std::string& flavor) const;
  // Nodes of one group share everything that the job requires of all its nodes: the cluster, the domain of the level,
  // and the GPU type if the job names several. Nothing: the node is in no group.
  std::optional<std::vector<std::string>> group(const Job& job, const Node& node) const;
  // As it was submitted: an elastic job is a gang at every size.
  bool is_gang(const Job& job) const { return tables_.jobs.at(job.id).spec->nodes > 1; }
  std::optional<std::vector<std::string>> domain(const Job& job, const Node& node, const std::string& level) const;
  bool can_serve(const Job& job, const Node& node) const;
  bool cluster_available(const std::string& name) const;
  bool in_service(const Node& node) const;
  // The devices of the node that a task of the job would get. Precondition: there is room.
  std::vector<std::string> pick(const Job& job, const Node& node) const;
  // Whether a task could have these devices.
  bool may_have(const Job& job, const TaskPlacement& placed) const;
  ResourceVector free_on(const Job& job, const Node& node) const;
  bool has_room(const Job& job, const Node& node) const;
  // The cost of taking the node, in this order: a node with GPUs taken by a job without GPUs, or a whole GPU that
  // becomes a shared one; the site's scoring; with fgd the number of GPUs of the node; free GPUs, CPUs and memory after
  // that.
  using Cost = std::array<std::int64_t, 6>;
  Cost cost(const Job& job, const Node& node) const;
  // Whether a task without GPUs has room there, beside what another task with GPUs would need of the whole node.
  bool has_room_beside(const Job& job, const TaskResources& other, const Node& node) const;
  // Whether a part could have a node.
  using Test = std::function<bool(const Job&, const Node&)>;
  // Whether some part of the job could have the node.
  bool suits_a_part(const Job& job, const std::string& flavors, const Node& node, const Test& test) const;
  // For each flavor and part, the nodes among these that it could have.
  std::vector<std::vector<PartSearch>> part_searches(const Job& job, const std::string& flavors,
                                                     const std::vector<const Node*>& nodes, const Test& test) const;
  // Whether these nodes of one group are enough for each part.
  bool is_enough(const Job& job, const std::string& flavors, const std::vector<const Node*>& nodes,
                 const Test& test) const;
  // Whether all parts have room in one group.
  bool have_room_together(const Job& job, const std::string& flavors) const;
  // With an empty node and healthy devices.
  static bool large_enough(const Job& job, const Node& node);
  // Why the suitable nodes cannot take the job; nothing: they can.
  std::optional<ReasonCode> lack(const Job& job, const std::string& flavor) const;

 private:
  // Devices, CPUs and memory in use on a node.
  struct NodeUse {
    Devices devices;
    std::int64_t cpus = 0, memory = 0;
    struct Task {
      std::int64_t cpus = 0, memory = 0;
      std::int64_t gpus = 0;  // whole ones
    };
    std::vector<Task> tasks;

    void take(const TaskResources& task, const std::vector<std::string>& ids);
  };

  // The nodes of groups in which each part has enough.
  std::set<std::string> nodes_of_large_groups(const Job& job, const std::string& flavors, const Test& test) const;

  // One way in which a task can take the node.
  struct Taking {
    Cost cost{};
    std::vector<std::string> devices;
  };
  Taking best_taking(const Job& job, const Node& node) const;
  Cost cost_of(const Job& job, const Node& node, const NodeUse& after) const;
  NodeUse use_of(const Node& node) const;

  // Idle GPUs that the existing tasks cannot use, summed over the tasks.
  struct Fragments {
    std::int64_t milli_gpus = 0, tasks = 0;
  };
  Fragments fragments(const Node& node, const NodeUse& use, const std::string& profile) const;
  std::vector<std::pair<std::int64_t, TaskResources>> types() const;
  // The cost of a GPU of the node, because other jobs insist on it.
  std::int64_t pressure(const Node& node) const;
  bool keeps_whole() const;
  std::int64_t score(const Job& job, const Node& node, const NodeUse& after) const;

  const Tables& tables_;
  Scoring scoring_;
  std::map<std::string, NodeUse> use_;
};

}  // namespace ym::reference
