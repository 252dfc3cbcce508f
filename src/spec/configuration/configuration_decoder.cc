#include "spec/configuration/configuration_decoder.h"

#include <fmt/format.h>

#include "model/keys/flavor.h"
#include "spec/configuration/auth_decoder.h"
#include "spec/configuration/cluster_decoder.h"
#include "spec/configuration/queue_decoder.h"
#include "spec/configuration/scheduling_decoder.h"
#include "spec/keys/cluster.h"
#include "spec/keys/read.h"
#include "spec/keys/retention.h"

namespace ym::spec {
namespace {

template <class Range, class Name>
bool has_name(const Range& range, const Name& name) {
  return std::ranges::any_of(range, [&](const auto& item) { return item.name == name; });
}

void check_cluster(const Field& match, const std::string& name, const Configuration& configuration) {
  if (name.empty() || match.value->kind != Value::Kind::map) return;
  const bool known = std::ranges::any_of(configuration.clusters, [&](const auto& c) { return c.cluster.name == name; });
  if (!known) MapReader(match).find("cluster")->wrong(fmt::format("there is no cluster '{}'", name));
}

bool can_make_nodes(const Field& field, const std::string& name, const Configuration& configuration) {
  if (name.empty()) field.wrong("needs a `cluster` in the flavor's `match`: the cluster that makes the nodes");
  const auto cluster = std::ranges::find(configuration.clusters, name, [](const auto& c) { return c.cluster.name; });
  if (cluster == configuration.clusters.end()) return false;
  const std::string& executor = cluster->cluster.executor;
  if (executor == "local")
    field.wrong("is for clusters that can get more nodes; this cluster is one machine, so leave it out");
  return executor != "local";
}

// No list has the nodes of an elastic flavor, so the flavor must describe one.
void read_elastic(const Field& field, Flavor& flavor, const Configuration& configuration) {
  MapReader map(field);
  if (field.value->kind != Value::Kind::map) return;
  ElasticCapacity elastic;
  keys::read_keys(map, elastic);
  map.finish();
  elastic.node.cluster = flavor.cluster;
  if (!can_make_nodes(field, flavor.cluster, configuration)) return;
  if (elastic.node.gpu_type.empty()) elastic.node.gpu_type = flavor.gpu_type;
  for (const auto& [key, value] : flavor.labels) elastic.node.labels.try_emplace(key, value);
  if (!flavor.matches(elastic.node)) field.wrong("describes a node that does not meet the flavor's own `match`");
  flavor.elastic = std::move(elastic);
}

Flavor read_flavor(const Field& field, const Configuration& configuration) {
  Flavor flavor;
  MapReader map(field);
  if (field.value->kind != Value::Kind::map) return flavor;
  keys::read_keys(map, flavor);
  if (!flavor.name.empty() && has_name(configuration.flavors, flavor.name))
    field.wrong(fmt::format("there are two flavors named '{}'", flavor.name));
  if (auto match = map.find("match")) check_cluster(*match, flavor.cluster, configuration);
  if (auto elastic = map.find("elastic")) read_elastic(*elastic, flavor, configuration);
  map.finish();
  return flavor;
}

void check_flavors(const std::vector<FlavorUse>& uses, const std::vector<Flavor>& flavors) {
  for (const auto& [name, where] : uses) {
    if (has_name(flavors, name) || (flavors.empty() && name == kDefaultFlavor)) continue;
    where.wrong(flavors.empty()
                    ? fmt::format("there is no flavor {}; without `flavors` the only one is 'default'", quoted(name))
                    : fmt::format("there is no flavor {}; add it to `flavors`", quoted(name)));
  }
}

// Whether one node could match both.
bool may_share_nodes(const Flavor& one, const Flavor& other) {
  const auto differ = [](const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; };
  const auto set_apart = [&](const auto& label) {
    const auto it = other.labels.find(label.first);
    return it != other.labels.end() && it->second != label.second;
  };
  return !differ(one.gpu_type, other.gpu_type) && !differ(one.cluster, other.cluster) &&
         std::ranges::none_of(one.labels, set_apart);
}

// A node belongs to the first matching flavor by name, but its provisioner counts all nodes that an elastic flavor
// matches. Both counts agree only if an elastic flavor shares no node with another flavor.
void check_overlap(const std::vector<Field>& fields, const std::vector<Flavor>& flavors) {
  for (std::size_t i = 0; i < flavors.size(); ++i)
    for (std::size_t j = 0; j < flavors.size(); ++j) {
      const bool once = !flavors[j].elastic || i < j;
      if (i == j || !flavors[i].elastic || !once || !may_share_nodes(flavors[i], flavors[j])) continue;
      fields[i].wrong(
          fmt::format("is elastic, and a node may match both '{}' and '{}'; separate them in `match`: by another "
                      "`cluster`, another `gpu` or another value of the same label",
                      flavors[i].name, flavors[j].name));
    }
}

void read_flavors(const Field& field, Configuration& configuration) {
  const auto items = read_list(field, "flavors");
  if (!items) return;
  for (const auto& item : *items) {
    Flavor flavor = read_flavor(item, configuration);
    flavor.rank = static_cast<std::int32_t>(configuration.flavors.size());
    configuration.flavors.push_back(std::move(flavor));
  }
  check_overlap(*items, configuration.flavors);
}

Retention read_retention(const Field& field) {
  Retention retention;
  keys::read_struct(field, retention);
  if (retention.audit < retention.jobs)
    field.wrong("deletes segments as soon as they are made; audit must not be less than jobs");
  return retention;
}

ClusterConfiguration this_machine() {
  return {.cluster = {.name = "local", .executor = "local"}, .nodes = {}, .discover = true};
}

}  // namespace

Configuration read_configuration(const Field& field) {
  Configuration configuration;
  MapReader map(field);
  if (auto clusters = map.find("clusters")) configuration.clusters = read_clusters(*clusters);
  if (configuration.clusters.empty()) configuration.clusters.push_back(this_machine());
  if (auto flavors = map.find("flavors")) read_flavors(*flavors, configuration);
  if (auto queues = map.find("queues")) {
    auto list = read_queues(*queues, QueuesRead::whole_tree);
    check_flavors(list.flavors, configuration.flavors);
    configuration.queues = std::move(list.queues);
  }
  read_settings(map, configuration.settings, configuration.warnings);
  if (auto auth = map.find("auth")) configuration.auth = read_auth(*auth);
  if (auto retention = map.find("retention")) configuration.retention = read_retention(*retention);
  map.finish();
  return configuration;
}

}  // namespace ym::spec
