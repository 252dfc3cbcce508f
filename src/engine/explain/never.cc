#include "engine/explain/never.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/explain/machine_reasons.h"
#include "engine/explain/reasons.h"
#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

constexpr std::size_t kMostNamed = 6;

std::string listed(const std::set<std::string>& names) {
  std::string text;
  std::size_t count = 0;
  for (const auto& name : names) {
    if (count++ == kMostNamed) return text + ", ...";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

std::string label_text(const std::string& key, const std::string& value) { return key + "=" + value; }

// "a100 or h100"
std::string types_text(const NodeRule& rule) {
  std::string text;
  for (const auto& type : rule.gpu_types) text += (text.empty() ? "" : " or ") + type;
  return text;
}

std::string rule_text(const NodeRule& rule) {
  std::string text = rule.gpu_types.empty() ? "" : "type " + types_text(rule);
  if (!rule.profile.empty()) text += (text.empty() ? "MIG " : ", MIG ") + rule.profile;
  for (const auto& [key, value] : rule.select) text += (text.empty() ? "label " : ", label ") + label_text(key, value);
  return text;
}

// The nodes of the flavors that a job could use.
class Machines {
 public:
  Machines(const Inventory& inventory, const std::vector<FlavorIndex>& flavors) : inventory_(inventory) {
    for (const FlavorIndex flavor : flavors)
      for (const Pool& pool : inventory.pools(flavor)) all_.insert(all_.end(), pool.nodes.begin(), pool.nodes.end());
  }

  bool any_of(const NodeRule& rule) const {
    return any([&](const Node& node) { return rule.admits(node); });
  }

  bool any_may_be_used(RuleIndex rule) const {
    return std::ranges::any_of(all_, [&](NodeIndex node) { return inventory_.matches(rule, node); });
  }

  // What the rules ask for and no node has. Precondition: no node meets all of them.
  Details explain_rules(const NodeRule& rule, AskedNodes asked) const {
    if (all_.empty()) return NoNodes{std::move(asked)};
    if (!rule.gpu_types.empty() && !any_of(NodeRule{.gpu_types = rule.gpu_types}))
      return NoGpuType{.nodes = std::move(asked), .wanted = types_text(rule), .offered = listed(types())};
    if (!rule.profile.empty() && !profiles().contains(rule.profile))
      return NoSlices{.nodes = std::move(asked), .wanted = rule.profile, .offered = listed(profiles())};
    if (const auto* label = missing_label(rule))
      return NoLabel{.nodes = std::move(asked),
                     .wanted = label_text(label->first, label->second),
                     .offered = listed(labels(label->first))};
    NodeRule without_exclusions = rule;
    without_exclusions.exclude.clear();
    if (any_of(without_exclusions)) return AllExcluded{std::move(asked)};
    return NoneHasAll{.nodes = std::move(asked), .wanted = rule_text(rule)};
  }

  // The first kind that no allowed node has enough of; kKindsByWeight's end: each kind alone would do.
  const ResourceKind* kind_too_large(const Shape& shape) const {
    return std::ranges::find_if(kKindsByWeight,
                                [&](ResourceKind kind) { return shape.task[kind] > largest(shape, kind); });
  }

  std::int64_t largest(const Shape& shape, ResourceKind kind) const {
    return most(shape, [&](NodeIndex node) {
      return inventory_.size_of(node, inventory_.of_profile(node, shape.task.profile))[kind];
    });
  }

  // On one device.
  std::int64_t largest_gpu_memory(const Shape& shape) const {
    return most(shape, [&](NodeIndex node) {
      std::int64_t bytes = 0;
      for (std::uint64_t left = inventory_.of_profile(node, kNone); left != 0; left &= left - 1)
        bytes = std::max(bytes, inventory_.all_of(node, first_device(left)).memory);
      return bytes;
    });
  }

 private:
  // The maximum over the nodes that the rules allow.
  template <class Amount>
  std::int64_t most(const Shape& shape, Amount amount) const {
    std::int64_t most = 0;
    for (const NodeIndex node : all_)
      if (inventory_.matches(shape.rule, node)) most = std::max(most, amount(node));
    return most;
  }

  template <class Test>
  bool any(Test test) const {
    return std::ranges::any_of(all_, [&](NodeIndex node) { return test(*inventory_.rows[node]); });
  }

  const std::pair<const std::string, std::string>* missing_label(const NodeRule& rule) const {
    for (const auto& label : rule.select)
      if (!any([&](const Node& node) {
            const auto it = node.labels.find(label.first);
            return it != node.labels.end() && it->second == label.second;
          }))
        return &label;
    return nullptr;
  }

  std::set<std::string> types() const {
    std::set<std::string> found;
    for (const NodeIndex node : all_)
      if (const auto& type = inventory_.rows[node]->gpu_type; !type.empty()) found.insert(type);
    return found;
  }

  std::set<std::string> profiles() const {
    std::set<std::string> found;
    for (const NodeIndex node : all_)
      for (const Device& device : inventory_.rows[node]->devices)
        if (!device.profile.empty()) found.insert(device.profile);
    return found;
  }

  std::set<std::string> labels(const std::string& key) const {
    std::set<std::string> found;
    for (const NodeIndex node : all_)
      if (const auto it = inventory_.rows[node]->labels.find(key); it != inventory_.rows[node]->labels.end())
        found.insert(label_text(key, it->second));
    return found;
  }

  const Inventory& inventory_;
  std::vector<NodeIndex> all_;
};

// The job may use no node of these flavors.
Reason none_matches(const Inputs& in, const Shape& shape, const std::vector<FlavorIndex>& flavors) {
  AskedNodes asked = asked_nodes(shape, {});
  if (flavors.size() == 1) asked.flavor = in.state.inventory.flavor_names[flavors.front()];
  // Nodes of other flavors may have what the job asks for, but its queue may not use them.
  else if (in.policy.quota_phase && in.state.quota.flavors(shape.queue))
    asked.queue = in.state.queue_names[shape.queue];
  const Machines machines(in.state.inventory, flavors);
  const NodeRule& rule = in.state.inventory.rule(shape.rule);
  // Allowed nodes run nothing in containers, or have no label of the required level.
  if (rule.in_container && machines.any_of(rule) && !machines.any_may_be_used(shape.rule))
    return {NoContainers{std::move(asked)}};
  if (shape.levels.required != kNone && machines.any_of(rule))
    return {NoLevel{.nodes = std::move(asked), .level = level_of(in, shape)}};
  return {machines.explain_rules(rule, std::move(asked))};
}

// The job may use some nodes of the flavor, but they are too small or too few.
Reason too_small(const Inputs& in, const Shape& shape, FlavorIndex flavor) {
  const Inventory& inventory = in.state.inventory;
  const Machines machines(inventory, {flavor});
  const std::string& name = inventory.flavor_names[flavor];
  const std::string rules = rule_text(inventory.rule(shape.rule));
  if (const auto* kind = machines.kind_too_large(shape); kind != kKindsByWeight.end())
    return nodes_too_small(in, shape, *kind, {.flavor = name, .rules = rules}, machines.largest(shape, *kind));
  const std::int64_t memory = shape.task.part.memory, largest = machines.largest_gpu_memory(shape);
  if (memory > largest)
    return {GpusTooSmall{
        .flavor = name, .rules = rules, .needed = {memory, Unit::bytes}, .largest = {largest, Unit::bytes}}};
  const Hardware& hardware = hardware_of(in, shape, flavor);
  if (hardware.possible == 0 && shape.levels.slice == kNone) return no_node_has_all_kinds(shape, name);
  return too_few_nodes(in, shape, flavor, hardware);
}

}  // namespace

// Options whose nodes the rules allow say more than others about why a job can never run.
std::vector<Reason> never_reasons(const Inputs& in, const Shape& shape, const std::vector<Option>& options) {
  if (options.empty()) return {shape.anchor > 0 ? no_anchor(in, shape) : no_flavor(in, shape)};
  const auto matches = [&](const Option& option) {
    for (const PartIndex part : indices<PartIndex>(shape.parts(option.flavors)))
      if (hardware_of(in, shape.part(option.flavors, part), option.flavors.of(part)).matching == 0) return false;
    return true;
  };
  const bool any_matches = std::ranges::any_of(options, matches);
  std::vector<Reason> reasons;
  std::vector<FlavorIndex> without_nodes;
  std::optional<Shape> without;  // the first part without any node
  for (const Option& option : options) {
    const bool judged = in.policy.place_phase && option.within_max;
    if (const auto lack = judged ? too_few_by_exclusion(in.state.inventory, shape, option.flavors) : std::nullopt) {
      insert_by_precedence(reasons, excludes_too_much(in, shape, option.flavors, *lack));
      continue;
    }
    if (any_matches && !matches(option)) continue;
    if (!option.within_max)
      insert_by_precedence(reasons, exceeds_max_quota(in, *short_forever(in.state.quota, shape, option.flavors)));
    bool suffices = true;  // for each part by itself
    for (const PartIndex i : indices<PartIndex>(shape.parts(option.flavors))) {
      const Shape part = shape.part(option.flavors, i);
      const FlavorIndex flavor = option.flavors.of(i);
      if (!any_matches) {
        without_nodes.push_back(flavor);
        if (!without && hardware_of(in, part, flavor).matching == 0) without = part;
      } else if (in.policy.place_phase &&
                 hardware_of(in, part, flavor).possible < static_cast<std::size_t>(part.nodes)) {
        insert_by_precedence(reasons, too_small(in, part, flavor));
        suffices = false;
      }
    }
    // Each part has its nodes, but not side by side.
    if (any_matches && judged && suffices) insert_by_precedence(reasons, never_together(in, shape, option.flavors));
  }
  if (in.policy.place_phase && !without_nodes.empty())
    insert_by_precedence(reasons, none_matches(in, *without, without_nodes));
  return reasons;
}

void insert_by_precedence(std::vector<Reason>& reasons, Reason reason) {
  if (std::ranges::find(reasons, reason) != reasons.end()) return;
  const auto is_excluded = [](const Reason& one) {
    return std::holds_alternative<AllExcluded>(one.details) || std::holds_alternative<TooManyExcluded>(one.details);
  };
  const auto rank = [&](const Reason& one) { return std::pair(one.code(), !is_excluded(one)); };
  reasons.insert(std::ranges::upper_bound(reasons, rank(reason), {}, rank), std::move(reason));
}

}  // namespace ym::engine
