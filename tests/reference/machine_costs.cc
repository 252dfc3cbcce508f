// The cost of taking a node, in each placement policy.
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "reference/machines.h"

namespace ym::reference {
namespace {

std::int64_t on_curve(double gain_milli) {
  return 100 - static_cast<std::int64_t>(std::floor(100 / (1 + std::exp(-gain_milli / 1000))));
}

}  // namespace

Machines::Cost Machines::cost(const Job& job, const Node& node) const { return best_taking(job, node).cost; }
std::vector<std::string> Machines::pick(const Job& job, const Node& node) const {
  return best_taking(job, node).devices;
}

Machines::Taking Machines::best_taking(const Job& job, const Node& node) const {
  const TaskResources& need = job.spec->resources;
  const NodeUse before = use_of(node);
  auto free = before.devices.free(need, node);
  const auto taking = [&](const std::vector<std::string>& devices) {
    NodeUse after = before;
    after.take(need, devices);
    return Taking{.cost = cost_of(job, node, after), .devices = devices};
  };
  if (!need.shares_gpu()) {
    free.resize(static_cast<std::size_t>(need.devices()));
    return taking(free);
  }
  std::optional<std::tuple<Cost, std::int64_t, std::int64_t>> least;
  Taking best;
  for (const auto& id : free) {
    const auto left = before.devices.left_of(*std::ranges::find(node.devices, id, &Device::id));
    Taking one = taking({id});
    one.cost[0] = left.milli == kMilli && keeps_whole();
    const std::tuple rank(one.cost, scoring_ == Scoring::spread ? -left.milli : left.milli, left.memory);
    if (least && *least <= rank) continue;
    least = rank;
    best = one;
  }
  return best;
}

bool Machines::keeps_whole() const {
  if (scoring_ == Scoring::spread) return false;
  return scoring_ != Scoring::fgd || std::ranges::none_of(types(), [](const auto& type) {
           return type.second.profile.empty() && !type.second.shares_gpu();
         });
}

Machines::Cost Machines::cost_of(const Job& job, const Node& node, const NodeUse& after) const {
  const TaskResources& need = job.spec->resources;
  Cost cost{need.gpus == 0 && !node.devices.empty(),
            0,
            0,
            after.devices.idle(need.profile, node).milli(),
            node.cpus - after.cpus,
            node.memory_bytes - after.memory};
  if (scoring_ == Scoring::spread)
    for (auto& part : {3U, 4U, 5U}) cost.at(part) = -cost.at(part);
  cost[1] = score(job, node, after);
  if (scoring_ == Scoring::fgd) cost[2] = std::ranges::count(node.devices, need.profile, &Device::profile);
  return cost;
}

std::int64_t Machines::score(const Job& job, const Node& node, const NodeUse& after) const {
  const auto& profile = job.spec->resources.profile;
  const NodeUse before = use_of(node);
  if (scoring_ == Scoring::best_fit) return 0;
  if (scoring_ == Scoring::fgd) {
    const auto [fragments_before, tasks] = fragments(node, before, profile);
    if (tasks == 0) return 0;
    const auto fragments_after = fragments(node, after, profile).milli_gpus;
    const auto taken = before.devices.idle({}, node).milli() - after.devices.idle({}, node).milli();
    const auto dearer = profile.empty() ? taken * pressure(node) / kMilli : 0;
    return on_curve(std::trunc(static_cast<double>(fragments_before - fragments_after - tasks * dearer) /
                               static_cast<double>(tasks)));
  }
  const auto size = std::ranges::count(node.devices, profile, &Device::profile);
  std::int64_t idle = node.cpus > 0 ? (node.cpus - before.cpus) * kMilli / node.cpus : 0;
  if (size > 0) idle = before.devices.idle(profile, node).milli() / size;
  return scoring_ == Scoring::pack ? idle : -idle;
}

// The most frequent task types.
std::vector<std::pair<std::int64_t, TaskResources>> Machines::types() const {
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
  // Of equally frequent types, whole GPUs come before slices, which are in the order of names. So everything but the
  // name sorts in descending order.
  std::map<std::string, std::map<Key, std::pair<std::int64_t, TaskResources>>> tasks;
  std::int64_t all = 0, counted = 0;
  const auto count_tasks = [&](const TaskResources& need, std::int64_t nodes) {
    if (need.gpus == 0) return;
    const bool shares = need.shares_gpu();
    auto& [count, one] = tasks[need.profile][{shares ? 0 : need.devices(), need.cpus, need.memory_bytes,
                                              shares ? need.gpus : 0, need.gpu_memory_bytes, 0}];
    count += nodes;
    one = need;
    all += nodes;
  };
  for (const auto& [id, job] : tables_.jobs) {
    if (is_terminal(job.state)) continue;
    if (job.spec->groups.empty()) count_tasks(job.spec->resources, job.spec->nodes);
    for (const TaskGroup& group : job.spec->groups) count_tasks(group.resources, group.nodes);
  }
  std::vector<std::tuple<std::int64_t, Key, std::string, TaskResources>> sorted;
  for (const auto& [profile, types] : tasks)
    for (const auto& [key, type] : types) sorted.emplace_back(type.first, key, profile, type.second);
  std::ranges::sort(sorted, [](const auto& a, const auto& b) {
    if (std::get<0>(a) != std::get<0>(b)) return std::get<0>(a) > std::get<0>(b);
    if (std::get<1>(a) != std::get<1>(b)) return std::get<1>(a) > std::get<1>(b);
    return std::get<2>(a) < std::get<2>(b);
  });
  std::vector<std::pair<std::int64_t, TaskResources>> found;
  for (const auto& [count, key, profile, type] : sorted) {
    if (found.size() == 32 || counted * 100 >= all * 99) break;
    found.emplace_back(count, type);
    counted += count;
  }
  return found;
}

// 0.3 GPUs, if the jobs with a rule ask for all GPUs that the rule admits, and the rule does not admit all GPUs.
std::int64_t Machines::pressure(const Node& node) const {
  using Sorted = std::set<std::string>;
  using Rule = std::tuple<Sorted, std::map<std::string, std::string>, Sorted>;
  std::map<Rule, std::pair<TaskResources, PlacementRules>> rules;
  std::map<Rule, std::int64_t> wanted;
  const auto count_tasks = [&](const TaskResources& task, const PlacementRules& placement, std::int64_t nodes) {
    if (task.gpus == 0 || !task.profile.empty()) return;
    Sorted types(task.other_gpu_types.begin(), task.other_gpu_types.end());
    types.insert(task.gpu_type);
    if (task.gpu_type.empty()) types.clear();
    if (types.empty() && placement.select.empty()) return;
    const Rule rule(types, placement.select, Sorted(placement.exclude.begin(), placement.exclude.end()));
    rules[rule] = {task, placement};
    wanted[rule] += nodes * task.gpus;
  };
  for (const auto& [id, job] : tables_.jobs) {
    if (is_terminal(job.state)) continue;
    const JobSpec& spec = *job.spec;
    if (spec.groups.empty()) count_tasks(spec.resources, *spec.placement, spec.nodes);
    for (const TaskGroup& group : spec.groups) count_tasks(group.resources, *spec.placement, group.nodes);
  }
  std::int64_t cost = 0;
  for (const auto& [rule, says] : rules) {
    std::int64_t admitted = 0, all = 0;
    for (const auto& [name, other] : tables_.nodes) {
      if (!in_service(other)) continue;
      const auto gpus = kMilli * std::ranges::count_if(other.devices, [](const Device& one) {
                          return one.profile.empty() && one.healthy;
                        });
      all += gpus;
      if (rules_allow(says.first, says.second, other)) admitted += gpus;
    }
    if (admitted == 0 || admitted == all || !rules_allow(says.first, says.second, node)) continue;
    cost += std::min(wanted[rule], admitted) * 300 / admitted;
  }
  return std::min<std::int64_t>(300, cost);
}

Machines::Fragments Machines::fragments(const Node& node, const NodeUse& use, const std::string& profile) const {
  const Devices::Idle idle = use.devices.idle(profile, node);
  const std::int64_t cpus = node.cpus - use.cpus, memory = node.memory_bytes - use.memory;
  std::int64_t counted = 0, useless = 0;
  for (const auto& [count, type] : types()) {
    if (type.profile != profile) continue;
    counted += count;
    const auto fits = [&](const Devices::Part& part) { return has_part(part, type); };
    const bool on_devices =
        type.shares_gpu() ? idle.whole > 0 || std::ranges::any_of(idle.parts, fits) : idle.whole >= type.devices();
    const bool runs =
        on_devices && (type.cpus == 0 || cpus >= type.cpus) && (type.memory_bytes == 0 || memory >= type.memory_bytes);
    if (!runs) {
      useless += count * idle.milli();
      continue;
    }
    for (const auto& part : idle.parts)
      if (!type.shares_gpu() || !fits(part)) useless += count * part.milli;
  }
  // Some tasks need a whole idle node.
  const std::int64_t whole = counted == 0 ? 0 : std::max<std::int64_t>(1, counted / 16);
  if (idle.whole != std::ranges::count(node.devices, profile, &Device::profile)) useless += whole * idle.milli();
  counted += whole;
  return {.milli_gpus = useless, .tasks = counted};
}

}  // namespace ym::reference
