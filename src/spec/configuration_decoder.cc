#include "spec/configuration_decoder.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

#include "spec/labels.h"
#include "spec/node_devices.h"
#include "spec/quantities.h"
#include "spec/queue_decoder.h"
#include "spec/scheduling_decoder.h"

namespace ym::spec {
namespace {

constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kMaxPrice = 1'000'000;
constexpr std::int64_t kLeastLogCap = std::int64_t{64} << 10;
constexpr std::size_t kMaxLevels = 16;
constexpr std::int64_t kMostCalls = 1'000'000;
constexpr std::int64_t kMaxTotalBytes = std::int64_t{1} << 60;

template <class Range, class Name>
bool has_name(const Range& range, const Name& name) {
  return std::ranges::any_of(range, [&](const auto& item) { return item.name == name; });
}

// What all nodes named by one entry have in common.
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
    const bool simulated = result.cluster.executor == "simulated";
    if (auto rate = map.find("calls_per_second")) {
      result.calls_per_second = read_whole_number(*rate, 1, kMostCalls);
      if (!simulated) rate->wrong("is for `executor: simulated`; leave it out");
    }
    if (auto cap = map.find("log_cap")) result.log_cap = read_log_cap(*cap);
    if (auto levels = map.find("topology")) result.cluster.topology = read_topology(*levels);
    const auto list = map.find("nodes");
    result.discover = !list;
    if (!list && simulated) field.wrong("is simulated and has no `nodes`; write which there are");
    if (!list && std::ranges::any_of(others, &ClusterConfiguration::discover))
      field.wrong("two clusters cannot both be this machine as found; give one of them nodes");
    if (list) result.nodes = nodes(*list, result.cluster.name);
    map.finish();
    return result;
  }

  static std::vector<std::string> read_topology(const Field& field) {
    std::vector<std::string> levels;
    const auto items = read_list(field, "levels");
    for (const auto& item : items.value_or(std::vector<Field>())) {
      const auto level = read_label_key(item);
      if (!level) continue;
      if (std::ranges::find(levels, *level) != levels.end())
        item.wrong(fmt::format("{} is there twice", quoted(*level)));
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
    if (!text || *text == "local" || *text == "simulated") return text;
    field.wrong(fmt::format("{} is not offered yet; write local or simulated", quoted(*text)));
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
    if (bytes > kMaxTotalBytes) field.wrong("the memory of all nodes together is more than can be counted");
    else bytes_ = static_cast<std::int64_t>(bytes);
  }

  std::set<std::string> names_;
  std::int64_t bytes_ = 0;
};

// Exact: 0.35 is 350000 micros, not what a double makes of it.
std::optional<std::int64_t> parse_micros(std::string_view text) {
  const auto point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  std::string fraction(text.substr(std::min(point + 1, text.size())));
  if (digits.empty() || fraction.size() > 6 || (point < text.size() && fraction.empty())) return std::nullopt;
  fraction.resize(6, '0');
  digits += fraction;
  if (digits.size() > 15 || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  std::int64_t micros = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), micros);
  return micros <= kMaxPrice * kMicros ? std::optional(micros) : std::nullopt;
}

void read_match(const Field& field, Flavor& flavor, const Configuration& configuration) {
  MapReader map(field);
  if (auto gpu = map.find("gpu")) flavor.gpu_type = read_gpu_type(*gpu).value_or("");
  if (auto cluster = map.find("cluster")) {
    flavor.cluster = read_name(*cluster).value_or("");
    const bool known =
        std::ranges::any_of(configuration.clusters, [&](const auto& c) { return c.cluster.name == flavor.cluster; });
    if (!known && !flavor.cluster.empty()) cluster->wrong(fmt::format("there is no cluster '{}'", flavor.cluster));
  }
  if (auto labels = map.find("labels"))
    flavor.labels = read_labels(*labels).value_or(std::map<std::string, std::string>{});
  map.finish();
}

Flavor read_flavor(const Field& field, const Configuration& configuration) {
  Flavor flavor;
  MapReader map(field);
  if (field.value->kind != Value::Kind::map) return flavor;
  if (auto name = map.require("name", "give the flavor a name")) flavor.name = read_name(*name).value_or("");
  if (!flavor.name.empty() && has_name(configuration.flavors, flavor.name))
    field.wrong(fmt::format("there are two flavors named '{}'", flavor.name));
  if (auto match = map.find("match")) read_match(*match, flavor, configuration);
  if (auto price = map.find("price_per_gpu_hour")) {
    const auto text = read_scalar_text(*price);
    const auto micros = text ? parse_micros(*text) : std::nullopt;
    if (text && !micros)
      price->wrong(
          fmt::format("{} is not a price; write for example 0.35 (at most 1000000, six decimals)", quoted(*text)));
    flavor.price_micros_per_gpu_hour = micros.value_or(0);
  }
  if (auto spot = map.find("spot")) flavor.spot = read_flag(*spot).value_or(false);
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

void read_flavors(const Field& field, Configuration& configuration) {
  const auto items = read_list(field, "flavors");
  if (!items) return;
  for (const auto& item : *items) {
    Flavor flavor = read_flavor(item, configuration);
    flavor.rank = static_cast<std::int32_t>(configuration.flavors.size());
    configuration.flavors.push_back(std::move(flavor));
  }
}

ClusterConfiguration this_machine() {
  return {.cluster = {.name = "local", .executor = "local"}, .nodes = {}, .discover = true};
}

}  // namespace

Configuration read_configuration(const Field& field) {
  Configuration configuration;
  MapReader map(field);
  if (auto clusters = map.find("clusters")) configuration.clusters = ClusterReader().list(*clusters);
  if (configuration.clusters.empty()) configuration.clusters.push_back(this_machine());
  if (auto flavors = map.find("flavors")) read_flavors(*flavors, configuration);
  if (auto queues = map.find("queues")) {
    auto list = read_queues(*queues);
    check_flavors(list.flavors, configuration.flavors);
    configuration.queues = std::move(list.queues);
  }
  if (auto scheduling = map.find("scheduling"))
    read_scheduling(*scheduling, configuration.settings, configuration.waste_table_file);
  if (auto preemption = map.find("preemption")) read_preemption(*preemption, configuration.settings);
  map.finish();
  return configuration;
}

}  // namespace ym::spec
