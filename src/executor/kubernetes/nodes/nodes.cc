#include "executor/kubernetes/nodes/nodes.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym::kubernetes {
namespace {

constexpr std::string_view kSlices = "nvidia.com/mig-";

bool tolerates(const Toleration& toleration, const Toleration& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  return toleration.value.empty() || toleration.value == taint.value;
}

// Taints that repeat a condition of the node are not reported twice.
bool is_of_condition(const Toleration& taint) {
  return taint.key == "node.kubernetes.io/not-ready" || taint.key == "node.kubernetes.io/unreachable" ||
         taint.key == "node.kubernetes.io/unschedulable";
}

std::string withheld_why(const NodeView& node, const NodeOptions& options) {
  if (!node.ready) return "is not ready: " + node.not_ready_why;
  if (node.cordoned) return "is cordoned";
  for (const auto& taint : node.taints) {
    if (taint.effect == "PreferNoSchedule" || is_of_condition(taint)) continue;
    const auto fits = [&](const Toleration& each) { return tolerates(each, taint); };
    if (std::ranges::none_of(options.tolerations, fits))
      return fmt::format("has the taint {}{}{}:{}", taint.key, taint.value.empty() ? "" : "=", taint.value,
                         taint.effect);
  }
  return {};
}

std::optional<std::int64_t> amount_of(const std::map<std::string, std::string>& in, const std::string& name) {
  const auto found = in.find(name);
  if (found == in.end()) return 0;
  return name == "cpu" ? milli_amount(found->second) : whole_amount(found->second);
}

// Empty: the amount is invalid.
std::optional<std::int64_t> offered(const NodeView& node, const std::string& name) {
  const auto allocatable = amount_of(node.allocatable, name), capacity = amount_of(node.capacity, name);
  if (!allocatable || !capacity || *allocatable > *capacity) return std::nullopt;
  return allocatable;
}

// An API server that does not give a maximum sets no bound.
std::string full_why(const NodeView& node, const Taken& taken) {
  const auto most = offered(node, "pods");
  if (!node.allocatable.contains("pods") || !most || taken.pods < *most) return {};
  return fmt::format("has its maximum number of pods ({})", *most);
}

std::string gpu_type_of(const NodeView& node, const NodeOptions& options) {
  const auto label = node.labels.find(options.gpu_type_label);
  if (label == node.labels.end()) return "gpu";
  const auto named = options.gpu_types.find(label->second);
  return named == options.gpu_types.end() ? plain_gpu_type(label->second) : named->second;
}

// Resource names of devices: whole GPUs first, then slices by profile.
std::vector<std::string> device_resources(const NodeView& node, const std::string& whole) {
  std::vector<std::string> names{whole};
  for (const auto& [name, amount] : node.allocatable)
    if (name.starts_with(kSlices)) names.push_back(name);
  return names;
}

void add_devices(Node& out, const std::string& name, std::int64_t count, std::int64_t taken) {
  const bool slice = name.starts_with(kSlices);
  const auto profile = slice ? name.substr(kSlices.size()) : std::string();
  for (std::int64_t i = 0; i < count; ++i)
    out.devices.push_back({.id = slice ? fmt::format("mig-{}-{}", profile, i) : std::to_string(i),
                           .physical = {},
                           .profile = profile,
                           .foreign = i >= count - taken});
}

// Sets `out.withheld` if the amounts are invalid.
void read_devices(const NodeView& node, const Taken& taken, const NodeOptions& options, Node& out) {
  const auto type = gpu_type_of(node, options);
  const auto named = options.gpu_resources.find(type);
  const auto whole = named == options.gpu_resources.end() ? "nvidia.com/gpu" : named->second;
  for (const auto& name : device_resources(node, whole)) {
    const auto count = offered(node, name);
    const auto room = static_cast<std::int64_t>(kMaxDevicesPerNode - out.devices.size());
    const bool known_profile = !name.starts_with(kSlices) || slice_milli(name.substr(kSlices.size()));
    if (!count || *count > room || !known_profile) {
      out.withheld = fmt::format("reports an invalid amount of {}", name);
      out.devices.clear();
      return;
    }
    const auto used = taken.devices.find(name);
    add_devices(out, name, *count, used == taken.devices.end() ? 0 : used->second);
  }
  if (!out.devices.empty()) out.gpu_type = type;
}

}  // namespace

bool NodeView::operator==(const NodeView& other) const {
  const auto same = [](const Toleration& a, const Toleration& b) {
    return a.key == b.key && a.value == b.value && a.effect == b.effect;
  };
  return meta.uid == other.meta.uid && labels == other.labels && cordoned == other.cordoned && ready == other.ready &&
         not_ready_why == other.not_ready_why && allocatable == other.allocatable && capacity == other.capacity &&
         std::ranges::equal(taints, other.taints, same);
}

Result<NodeView> read_node(const json::value& object) {
  auto meta = read_meta(object);
  if (!meta) return std::unexpected(meta.error());
  NodeView view{.meta = std::move(*meta),
                .labels = texts_at(object, "/metadata/labels"),
                .cordoned = true_at(object, "/spec/unschedulable"),
                .ready = false,
                .not_ready_why = "it has not reported yet",
                .taints = {},
                .allocatable = texts_at(object, "/status/allocatable"),
                .capacity = texts_at(object, "/status/capacity")};
  for (const auto& each : list_at(object, "/spec/taints"))
    view.taints.push_back({text_at(each, "/key"), text_at(each, "/value"), text_at(each, "/effect")});
  for (const auto& each : list_at(object, "/status/conditions"))
    if (text_at(each, "/type") == "Ready") {
      view.ready = text_at(each, "/status") == "True";
      view.not_ready_why = view.ready ? "" : text_at(each, "/message").substr(0, 256);
    }
  return view;
}

NodeContact contact_of(const NodeView& node) { return node.ready ? NodeContact::good : NodeContact::lost; }

std::string plain_gpu_type(std::string_view product) {
  std::string plain(product);
  std::ranges::transform(plain, plain.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  std::size_t from = 0;
  while (from < plain.size()) {
    const auto to = std::min(plain.find_first_of("-_ ", from), plain.size());
    const auto word = plain.substr(from, to - from);
    if (word.find_first_of("0123456789") != std::string::npos) return word;
    from = to + 1;
  }
  return plain.empty() ? "gpu" : plain;
}

void Taken::add(const PodView& pod) {
  pods = sum(pods, 1);
  cpus = sum(cpus, pod.cpus);
  memory_bytes = sum(memory_bytes, pod.memory_bytes);
  for (const auto& [name, count] : pod.devices) devices[name] = sum(devices[name], count);
}

bool is_ours(const NodeView& node, const NodeOptions& options) {
  return std::ranges::all_of(options.select, [&](const auto& wanted) {
    const auto found = node.labels.find(wanted.first);
    return found != node.labels.end() && found->second == wanted.second;
  });
}

Node as_model(const NodeView& node, const Taken& taken, const NodeOptions& options) {
  Node out{.name = node.meta.name, .cluster = options.cluster, .gpu_type = {}, .devices = {}, .labels = node.labels};
  out.withheld = withheld_why(node, options);
  const auto cpus = offered(node, "cpu"), memory = offered(node, "memory");
  if (!cpus || !memory) out.withheld = "reports invalid processors or memory";
  out.cpus = std::max<std::int64_t>(cpus.value_or(0) - taken.cpus, 0);
  out.memory_bytes = std::max<std::int64_t>(memory.value_or(0) - taken.memory_bytes, 0);
  read_devices(node, taken, options, out);
  if (!out.withheld.empty()) return out;
  out.withheld = full_why(node, taken);
  out.full = !out.withheld.empty();
  return out;
}

}  // namespace ym::kubernetes
