#include "spec/configuration/cluster_decoder.h"

#include <fmt/format.h>

#include <set>

#include "spec/configuration/node_devices.h"
#include "spec/configuration/remote_decoder.h"
#include "spec/text/labels.h"
#include "spec/text/quantities.h"

namespace ym::spec {
namespace {

constexpr std::int64_t kLeastLogCap = std::int64_t{64} << 10;
constexpr std::size_t kMaxLevels = 16;
constexpr std::int64_t kMostCalls = 1'000'000;
constexpr std::int64_t kMaxTotalBytes = std::int64_t{1} << 60;

class ClusterReader {
 public:
  std::vector<ClusterConfiguration> list(const Field& field) {
    std::vector<ClusterConfiguration> clusters;
    const auto items = read_list(field, "clusters");
    if (!items) return clusters;
    for (const auto& item : *items) clusters.push_back(cluster(item, clusters));
    return clusters;
  }

 private:
  ClusterConfiguration cluster(const Field& field, const std::vector<ClusterConfiguration>& others) {
    ClusterConfiguration result{.cluster = {.name = {}, .executor = "local"}, .nodes = {}};
    MapReader map(field);
    if (field.value->kind != Value::Kind::map) return result;
    if (auto name = map.require("name", "give the cluster a name")) result.cluster.name = read_name(*name).value_or("");
    for (const auto& other : others)
      if (!result.cluster.name.empty() && other.cluster.name == result.cluster.name)
        field.wrong(fmt::format("there are two clusters named '{}'", result.cluster.name));
    if (auto executor = map.find("executor")) result.cluster.executor = read_executor(*executor).value_or("local");
    if (auto rate = map.find("calls_per_second")) {
      result.calls_per_second = read_whole_number(*rate, 1, kMostCalls);
      if (result.cluster.executor != "simulated") rate->wrong("is for `executor: simulated`; leave it out");
    }
    if (auto prefix = map.find("node_prefix")) {
      result.node_prefix = read_name(*prefix).value_or("");
      if (!is_remote_executor(result.cluster.executor))
        prefix->wrong("is for clusters that name their own nodes; leave it out");
    }
    if (auto cap = map.find("log_cap")) result.log_cap = read_log_cap(*cap);
    if (auto levels = map.find("topology")) result.cluster.topology = read_topology(*levels);
    read_where(field, map, result);
    read_inventory(field, map, others, result);
    map.finish();
    return result;
  }

  static void read_where(const Field& field, MapReader& map, ClusterConfiguration& result) {
    const auto wants = [&](std::string_view executor, const std::optional<Field>& said) {
      if (result.cluster.executor == executor) return said.has_value();
      if (said) said->wrong(fmt::format("is for `executor: {}`; leave it out", executor));
      return false;
    };
    const auto slurm = map.find("slurm");
    const auto kubernetes = map.find("kubernetes");
    if (wants("slurm", slurm)) result.slurm = read_slurm(*slurm);
    else if (result.cluster.executor == "slurm") field.wrong("has no `slurm`; write at least slurm: {log_dir: DIR}");
    if (wants("kubernetes", kubernetes)) result.kubernetes = read_kubernetes(*kubernetes);
    else if (result.cluster.executor == "kubernetes")
      field.wrong(
          "has no `kubernetes`; write at least kubernetes: {namespace: NAME, image: IMAGE, wrapper_image: IMAGE}");
  }

  void read_inventory(const Field& field, MapReader& map, const std::vector<ClusterConfiguration>& others,
                      ClusterConfiguration& result) {
    const auto list = map.find("nodes");
    const bool is_remote = is_remote_executor(result.cluster.executor);
    if (list && is_remote) return list->wrong("is reported by the cluster itself; leave it out");
    result.discover = !list && !is_remote;
    if (!list && result.cluster.executor == "simulated")
      field.wrong("is simulated and has no `nodes`; write its nodes");
    if (result.discover && std::ranges::any_of(others, &ClusterConfiguration::discover))
      field.wrong("two clusters cannot both be this machine as found; give one of them nodes");
    if (list) result.nodes = nodes(*list, result.cluster.name);
  }

  static std::vector<std::string> read_topology(const Field& field) {
    std::vector<std::string> levels;
    const auto items = read_list(field, "levels");
    for (const auto& item : items.value_or(std::vector<Field>())) {
      const auto level = read_label_key(item);
      if (!level) continue;
      if (std::ranges::find(levels, *level) != levels.end())
        item.wrong(fmt::format("{} is written twice", quoted(*level)));
      levels.push_back(*level);
    }
    if (levels.size() > kMaxLevels) field.wrong(fmt::format("more than {} levels", kMaxLevels));
    return levels;
  }

  static std::optional<std::int64_t> read_log_cap(const Field& field) {
    const auto bytes = read_bytes(field);
    if (!bytes || *bytes >= kLeastLogCap) return bytes;
    field.wrong("is too small for the log of a task; write at least 64KiB, for example 1GiB");
    return std::nullopt;
  }

  static std::optional<std::string> read_executor(const Field& field) {
    auto text = read_string(field);
    if (!text || *text == "local" || *text == "simulated" || is_remote_executor(*text)) return text;
    field.wrong(fmt::format("{} is not an executor; write local, slurm, kubernetes or simulated", quoted(*text)));
    return std::nullopt;
  }

  std::vector<Node> nodes(const Field& field, const std::string& cluster) {
    std::vector<Node> nodes;
    const auto items = read_list(field, "nodes");
    if (!items) return nodes;
    if (items->empty()) field.wrong("is empty; leave `nodes` out to use this machine as found");
    for (const auto& item : *items) add_nodes(item, cluster, nodes);
    return nodes;
  }

  void add_nodes(const Field& field, const std::string& cluster, std::vector<Node>& nodes) {
    MapReader map(field);
    if (field.value->kind != Value::Kind::map) return;
    const auto pattern = map.require("names", "write for example n[1-5]");
    const auto names = pattern ? read_node_pattern(*pattern) : std::nullopt;
    Node node = read_node_shape(map);
    node.cluster = cluster;
    map.finish();
    if (!names) return;
    if (names_.size() + names->size() > kMaxNodeNames) return field.wrong("more than 100000 nodes");
    for (const auto& name : *names) {
      node.name = name;
      if (!names_.insert(name).second) pattern->wrong(fmt::format("there are two nodes named {}", quoted(name)));
      nodes.push_back(node);
    }
    const auto bytes = static_cast<__int128>(node.memory_bytes) * static_cast<std::int64_t>(names->size()) + bytes_;
    if (bytes > kMaxTotalBytes) field.wrong("the nodes together have more memory than can be counted");
    else bytes_ = static_cast<std::int64_t>(bytes);
  }

  std::set<std::string> names_;
  std::int64_t bytes_ = 0;
};

}  // namespace

Node read_node_shape(MapReader& map) {
  Node node;
  read_devices(map, node);
  node.cpus = std::max<std::int64_t>(1, std::ssize(node.devices)) * kMilli;
  if (auto cpus = map.find("cpus")) node.cpus = read_cpus(*cpus).value_or(node.cpus);
  if (auto memory = map.find("memory")) node.memory_bytes = read_bytes(*memory).value_or(0);
  if (auto labels = map.find("labels"))
    node.labels = read_labels(*labels).value_or(std::map<std::string, std::string>{});
  return node;
}

std::vector<ClusterConfiguration> read_clusters(const Field& field) { return ClusterReader().list(field); }

}  // namespace ym::spec
