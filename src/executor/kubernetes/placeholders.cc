#include "executor/kubernetes/placeholders.h"

#include <fmt/format.h>

#include <algorithm>

#include "executor/kubernetes/names.h"

namespace ym::kubernetes {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::size_t kNameLength = 40;

// FNV-1a, 16 bits: two flavors whose names look alike as labels have other placeholders.
std::uint32_t fingerprint(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return (hash ^ (hash >> 16)) & 0xffffU;
}

json::object keep_away_from(const std::vector<Node>& nodes, const std::map<std::string, std::string>& labels) {
  json::array expressions;
  for (const auto& [key, value] : labels)
    expressions.push_back(json::object{{"key", key}, {"operator", "In"}, {"values", json::array{value}}});
  json::array names;
  for (const auto& node : nodes) {
    const auto host = node.labels.find(std::string(kHostname));
    names.emplace_back(host == node.labels.end() ? node.name : host->second);
  }
  if (!names.empty())
    expressions.push_back(json::object{{"key", kHostname}, {"operator", "NotIn"}, {"values", std::move(names)}});
  if (expressions.empty()) return {};
  const json::object term{{"matchExpressions", std::move(expressions)}};
  return {{"nodeAffinity", json::object{{"requiredDuringSchedulingIgnoredDuringExecution",
                                         json::object{{"nodeSelectorTerms", json::array{term}}}}}}};
}

// Enough that two have no room on one node, and less than a node has: it keeps some for itself.
json::object nearly_all_of(const Node& node, const PodOptions& options) {
  std::map<std::string, std::int64_t> devices;
  for (const auto& device : node.devices) devices[gpu_resource(options, node.gpu_type, device.profile)] += 1;
  json::object list{{"cpu", fmt::format("{}m", devices.empty() ? node.cpus * 3 / 4 : 100)}};
  for (const auto& [resource, count] : devices) list[resource] = std::to_string(count);
  return list;
}

}  // namespace

std::string placeholder_name(const std::string& flavor, std::int64_t number) {
  std::string plain;
  for (const char c : flavor.substr(0, kNameLength)) {
    const char low = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    plain += ('a' <= low && low <= 'z') || ('0' <= low && low <= '9') ? low : '-';
  }
  return fmt::format("ym-node-{}-{:04x}-{}", plain, fingerprint(flavor), number);
}

json::value render_placeholder(const Flavor& flavor, const std::string& name, const std::vector<Node>& nodes,
                               const PodOptions& options) {
  const auto list = nearly_all_of(flavor.elastic->node, options);
  json::object labels{{kManagedBy, options.instance}, {kPlaceholderLabel, label_value(flavor.name)}};
  const json::object container{{"name", "placeholder"},
                               {"image", options.wrapper_image},
                               {"imagePullPolicy", options.pull_policy},
                               {"command", json::array{"/bin/busybox", "sleep", "2147483647"}},
                               {"resources", json::object{{"requests", list}, {"limits", list}}}};
  json::object body{{"restartPolicy", "Never"},
                    {"automountServiceAccountToken", false},
                    {"terminationGracePeriodSeconds", 0},
                    {"tolerations", tolerations_of(options)},
                    {"containers", json::array{container}}};
  if (auto affinity = keep_away_from(nodes, flavor.labels); !affinity.empty()) body["affinity"] = std::move(affinity);
  if (!options.scheduler_name.empty()) body["schedulerName"] = options.scheduler_name;
  if (!options.priority_class.empty()) body["priorityClassName"] = options.priority_class;
  const json::object evictable{{"cluster-autoscaler.kubernetes.io/safe-to-evict", "true"}};
  return json::object{{"apiVersion", "v1"},
                      {"kind", "Pod"},
                      {"metadata", json::object{{"name", name},
                                                {"namespace", options.name_space},
                                                {"labels", std::move(labels)},
                                                {"annotations", evictable}}},
                      {"spec", std::move(body)}};
}

void Placeholders::want(const Flavor& flavor) { wanted_.insert_or_assign(flavor.name, flavor); }

void Placeholders::seen(const PodView& pod) {
  const auto label = pod.labels.find(std::string(kPlaceholderLabel));
  if (label == pod.labels.end()) return;
  auto& known = pods_[pod.meta.name];
  // One that is over holds no place for anybody.
  known = {.flavor = label->second, .uid = pod.meta.uid, .node = pod.node, .busy = known.busy || pod.deleting};
}

void Placeholders::removed(const PodView& pod) {
  const auto known = pods_.find(pod.meta.name);
  if (known != pods_.end() && known->second.uid == pod.meta.uid) pods_.erase(known);
}

// A pod that is there is known by the watch; one that is not is wanted again.
void Placeholders::tried(const std::string& name) {
  const auto known = pods_.find(name);
  if (known == pods_.end()) return;
  known->second.busy = false;
  if (known->second.uid.empty()) pods_.erase(known);
}

// Those that are on nodes come first: they have done their work.
std::vector<std::string> Placeholders::pods_of(const std::string& flavor) const {
  std::vector<std::string> bound, waiting;
  for (const auto& [name, pod] : pods_)
    if (pod.flavor == label_value(flavor)) (pod.node.empty() ? waiting : bound).push_back(name);
  bound.insert(bound.end(), waiting.rbegin(), waiting.rend());
  return bound;
}

void Placeholders::remove(const std::vector<std::string>& names, std::size_t count, Work& work) {
  for (std::size_t i = 0; i < std::min(count, names.size()); ++i) {
    Pod& pod = pods_.at(names[i]);
    if (pod.busy || pod.uid.empty()) continue;
    pod.busy = true;
    work.remove.emplace_back(names[i], pod.uid);
  }
}

void Placeholders::create(const Flavor& flavor, std::int64_t count, const std::vector<Node>& nodes, Work& work) {
  for (std::int64_t number = 1; count > 0; ++number) {
    const auto name = placeholder_name(flavor.name, number);
    if (pods_.contains(name)) continue;
    pods_[name] = {.flavor = label_value(flavor.name), .uid = {}, .node = {}, .busy = true};
    work.create.emplace_back(name, render_placeholder(flavor, name, nodes, options_));
    --count;
  }
}

Placeholders::Work Placeholders::pass(const std::vector<Node>& nodes) {
  Work work;
  for (const auto& [name, flavor] : wanted_) {
    std::vector<Node> there;
    for (const auto& node : nodes)
      if (flavor.matches(node) && node.withheld.empty()) there.push_back(node);
    const std::int64_t missing =
        flavor.elastic ? std::max<std::int64_t>(flavor.wanted.nodes - std::ssize(there), 0) : 0;
    const auto pods = pods_of(name);
    const std::int64_t more = missing - std::ssize(pods);
    if (more > 0) create(flavor, more, there, work);
    else remove(pods, static_cast<std::size_t>(-more), work);
  }
  std::erase_if(wanted_, [&](const auto& one) { return !one.second.elastic && pods_of(one.first).empty(); });
  return work;
}

}  // namespace ym::kubernetes
