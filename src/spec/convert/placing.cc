#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "model/resources.h"
#include "spec/convert/amounts.h"
#include "spec/convert/kubernetes/pod.h"

namespace ym::convert {
namespace {

constexpr std::string_view kKueue = "kueue.x-k8s.io/";

std::vector<std::string> texts_of(const std::optional<Field>& list) {
  std::vector<std::string> texts;
  if (list)
    for (const auto& item : list->value->items) texts.push_back(item.text);
  return texts;
}

// One condition of nodeAffinity. False: a job file cannot express it.
bool take_condition(const Field& condition, Part& part) {
  const auto key = text_under(condition, "key"), how = text_under(condition, "operator");
  const auto values = texts_of(field_under(condition, "values"));
  if (how == "In" && values.size() == 1) {
    part.select[key] = values.front();
  } else if (how == "NotIn" && key == "kubernetes.io/hostname") {
    part.exclude.insert(part.exclude.end(), values.begin(), values.end());
  } else {
    return false;
  }
  return true;
}

void read_required_nodes(const Field& required, Part& part, Remarks& remarks) {
  constexpr std::string_view kAdvice = "a job file has placement.select (a label has one value) and placement.exclude";
  const auto terms = field_under(required, "nodeSelectorTerms");
  if (!terms || terms->value->items.size() != 1)
    return remarks.warn(required, fmt::format("is left out; any one of its terms is enough, and {}", kAdvice));
  const auto term = terms->child("0", terms->value->items.front());
  for (const auto* list : {"matchExpressions", "matchFields"}) {
    const auto conditions = field_under(term, list);
    if (!conditions) continue;
    for (std::size_t i = 0; i < conditions->value->items.size(); ++i) {
      const auto condition = conditions->child(std::to_string(i), conditions->value->items[i]);
      if (list == std::string_view("matchFields") || !take_condition(condition, part))
        remarks.warn(condition, fmt::format("is left out; {}", kAdvice));
    }
  }
}

void read_affinity(const Field& affinity, Part& part, Remarks& remarks) {
  constexpr std::array<Advice, 1> kPreferred{
      {{"preferredDuringSchedulingIgnoredDuringExecution", "placement.select is for requirements only"}}};
  constexpr std::array<Advice, 2> kPods{
      {{"podAffinity", "for nodes near each other write placement: {topology: {required: LEVEL}}"},
       {"podAntiAffinity", "each task has its own node; a job cannot avoid the nodes of other jobs"}}};
  Keys keys(affinity, remarks);
  if (const auto node = keys.find("nodeAffinity")) {
    Keys nodes(*node, remarks);
    if (const auto required = nodes.find("requiredDuringSchedulingIgnoredDuringExecution"))
      read_required_nodes(*required, part, remarks);
    nodes.drop(kPreferred);
    nodes.finish();
  }
  keys.drop(kPods);
  keys.finish();
}

void warn_of_tolerations(const Field& tolerations, Remarks& remarks) {
  std::vector<std::string> names;
  const auto items = spec::read_list(tolerations, "tolerations");
  for (const auto& item : items.value_or(std::vector<Field>{})) {
    const auto key = text_under(item, "key");
    if (!key.starts_with("node.kubernetes.io/")) names.push_back(key.empty() ? "(every taint)" : key);
  }
  if (!names.empty())
    remarks.warn(tolerations, fmt::format("is left out; a cluster tolerates taints, not a job: "
                                          "tolerations: [{}] in the server's configuration",
                                          fmt::join(names, ", ")));
}

void read_slices(const std::optional<Field>& annotations, Part& part, Remarks& remarks) {
  const auto key = std::string(kKueue) + "podset-slice-size";
  const auto size = field_under(annotations, key);
  if (!size && part.topology.slice_level.empty()) return;
  const auto nodes = size ? parse_quantity(size->value->text).value_or(0) : 0;
  part.topology.slice_nodes = nodes / kMilli;
  if (nodes > 0 && nodes % kMilli == 0 && !part.topology.slice_level.empty()) return;
  remarks.warn(size ? *size : *annotations,
               "slices need both podset-slice-required-topology and podset-slice-size; they are left out");
  part.topology.slice_level.clear();
}

}  // namespace

void read_node_choice(Keys& pod_spec, Part& part) {
  auto& remarks = pod_spec.remarks();
  if (const auto selector = pod_spec.find("nodeSelector"))
    if (const auto entries = spec::read_entries(*selector))
      for (const auto& [key, value] : *entries) part.select[key] = spec::read_scalar_text(value).value_or("");
  if (const auto affinity = pod_spec.find("affinity")) read_affinity(*affinity, part, remarks);
  if (const auto tolerations = pod_spec.find("tolerations")) warn_of_tolerations(*tolerations, remarks);
}

void read_topology(const std::optional<Field>& annotations, Part& part, Remarks& remarks) {
  const auto level = [&](std::string_view name) {
    const auto found = field_under(annotations, std::string(kKueue) + std::string(name));
    if (!found || found->value->text != "kubernetes.io/hostname") return found ? found->value->text : std::string();
    remarks.warn(*found, "is left out; each task has its own node, so two of them are never on one node");
    return std::string();
  };
  part.topology.required = level("podset-required-topology");
  part.topology.preferred = level("podset-preferred-topology");
  part.topology.slice_level = level("podset-slice-required-topology");
  read_slices(annotations, part, remarks);
  if (const auto group = field_under(annotations, std::string(kKueue) + "podset-group-name"))
    remarks.note(*group, "is left out; a required level applies to all groups of a job together");
}

}  // namespace ym::convert
