// A placeholder pod for the API server.
#include <fmt/format.h>

#include <algorithm>

#include "executor/kubernetes/nodes/placeholders.h"
#include "executor/kubernetes/pods/names.h"

namespace ym::kubernetes {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::size_t kNameLength = 40;

// FNV-1a, 16 bits: flavors with similar labels get different placeholders, and so do two servers.
std::uint32_t fingerprint(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return (hash ^ (hash >> 16)) & 0xffffU;
}

std::map<std::string, std::int64_t> devices_of(const Node& node) {
  std::map<std::string, std::int64_t> count;  // by profile
  for (const auto& device : node.devices) ++count[device.profile];
  return count;
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

// Enough that two do not fit on one node, but less than a node has, because it reserves some for itself.
json::object nearly_all_of(const Node& node, const PodOptions& options) {
  std::map<std::string, std::int64_t> devices;
  for (const auto& [profile, count] : devices_of(node)) devices[gpu_resource(options, node.gpu_type, profile)] += count;
  json::object list{{"cpu", fmt::format("{}m", devices.empty() ? node.cpus * 3 / 4 : 100)}};
  for (const auto& [resource, count] : devices) list[resource] = std::to_string(count);
  return list;
}

}  // namespace

bool is_placeholder(const PodView& pod, const std::string& instance) {
  const auto owner = pod.labels.find(std::string(kManagedBy));
  return owner != pod.labels.end() && owner->second == instance && pod.labels.contains(std::string(kPlaceholderLabel));
}

std::string placeholder_name(const std::string& instance, const std::string& flavor, std::int64_t number) {
  std::string plain;
  for (const char c : flavor.substr(0, kNameLength)) {
    const char low = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    plain += ('a' <= low && low <= 'z') || ('0' <= low && low <= '9') ? low : '-';
  }
  return fmt::format("ym-node-{}-{:04x}-{}", plain, fingerprint(instance + "/" + flavor), number);
}

Node bounded_by(Node shape, const std::vector<Node>& nodes) {
  if (nodes.empty()) return shape;
  std::map<std::string, std::int64_t> most;
  for (const auto& node : nodes)
    for (const auto& [profile, count] : devices_of(node)) most[profile] = std::max(most[profile], count);
  std::map<std::string, std::int64_t> kept;
  std::erase_if(shape.devices, [&](const Device& device) {
    const auto found = most.find(device.profile);
    return found != most.end() && ++kept[device.profile] > found->second;
  });
  shape.cpus = std::min(shape.cpus, std::ranges::max(nodes, {}, &Node::cpus).cpus);
  return shape;
}

json::value render_placeholder(const Flavor& flavor, const Node& shape, const std::string& name,
                               const std::vector<Node>& nodes, const PodOptions& options) {
  const auto list = nearly_all_of(shape, options);
  auto must_have = flavor.labels;
  must_have.insert(options.node_selector.begin(), options.node_selector.end());
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
  if (auto affinity = keep_away_from(nodes, must_have); !affinity.empty()) body["affinity"] = std::move(affinity);
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

}  // namespace ym::kubernetes
