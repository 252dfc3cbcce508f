#include "spec/configuration/cluster_decoder.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "spec/keys/cluster.h"
#include "spec/keys/read.h"
#include "spec/text/labels.h"

namespace ym::spec {
namespace {

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
    keys::read_keys(map, result);
    for (const auto& other : others)
      if (!result.cluster.name.empty() && other.cluster.name == result.cluster.name)
        field.wrong(fmt::format("there are two clusters named '{}'", result.cluster.name));
    if (const auto levels = map.find("topology")) refuse_repeated(*levels);
    check_executor(field, map, result.cluster.executor);
    read_inventory(field, map, others, result);
    map.finish();
    return result;
  }

  // The executor decides which keys a cluster may have, and which it needs.
  static void check_executor(const Field& field, MapReader& map, const std::string& executor) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOwners{
        {{"calls_per_second", "simulated"}, {"slurm", "slurm"}, {"kubernetes", "kubernetes"}}};
    for (const auto& [key, owner] : kOwners)
      if (const auto found = map.find(key); found && executor != owner)
        found->wrong(fmt::format("is for `executor: {}`; leave it out", owner));
    if (const auto prefix = map.find("node_prefix"); prefix && !is_remote_executor(executor))
      prefix->wrong("is for clusters that name their own nodes; leave it out");
    if (executor == "slurm" && !map.find("slurm")) field.wrong("has no `slurm`; write at least slurm: {log_dir: DIR}");
    if (executor == "kubernetes" && !map.find("kubernetes"))
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

  static void refuse_repeated(const Field& levels) {
    std::set<std::string_view> seen;
    if (levels.value->kind != Value::Kind::list) return;
    for (std::size_t i = 0; i < levels.value->items.size(); ++i) {
      const Value& level = levels.value->items[i];
      if (level.kind == Value::Kind::string && !seen.insert(level.text).second)
        levels.child(std::to_string(i), level).wrong(fmt::format("{} is written twice", quoted(level.text)));
    }
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
    keys::NodeGroup group;
    keys::read_struct(field, group);
    if (group.names.empty()) return;
    if (names_.size() + group.names.size() > kMaxNodeNames) return field.wrong("more than 100000 nodes");
    const auto pattern = MapReader(field).find("names");
    Node node = std::move(group.shape);
    node.cluster = cluster;
    for (const auto& name : group.names) {
      node.name = name;
      if (!names_.insert(name).second) pattern->wrong(fmt::format("there are two nodes named {}", quoted(name)));
      nodes.push_back(node);
    }
    const auto bytes = static_cast<__int128>(node.memory_bytes) * std::ssize(group.names) + bytes_;
    if (bytes > kMaxTotalBytes) field.wrong("the nodes together have more memory than can be counted");
    else bytes_ = static_cast<std::int64_t>(bytes);
  }

  std::set<std::string> names_;
  std::int64_t bytes_ = 0;
};

}  // namespace

std::vector<ClusterConfiguration> read_clusters(const Field& field) { return ClusterReader().list(field); }

}  // namespace ym::spec
