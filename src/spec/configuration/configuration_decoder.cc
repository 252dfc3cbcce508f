#include "spec/configuration_decoder.h"

#include <fmt/format.h>

#include <charconv>

#include "spec/cluster_decoder.h"
#include "spec/labels.h"
#include "spec/quantities.h"
#include "spec/queue_decoder.h"
#include "spec/scheduling_decoder.h"

namespace ym::spec {
namespace {

constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kMaxPrice = 1'000'000;
constexpr std::int64_t kMostElasticNodes = 100'000;

template <class Range, class Name>
bool has_name(const Range& range, const Name& name) {
  return std::ranges::any_of(range, [&](const auto& item) { return item.name == name; });
}

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

std::optional<Duration> read_time(MapReader& map, std::string_view key, Duration least = {}) {
  const auto field = map.find(key);
  return field ? read_duration(*field, least, hours(24 * 7)) : std::nullopt;
}

bool can_make_nodes(const Field& field, const std::string& name, const Configuration& configuration) {
  if (name.empty()) field.wrong("needs a `cluster` in the flavor's `match`: where nodes are made");
  const auto cluster = std::ranges::find(configuration.clusters, name, [](const auto& c) { return c.cluster.name; });
  if (cluster == configuration.clusters.end()) return false;
  const std::string& executor = cluster->cluster.executor;
  if (executor == "local") field.wrong("is for clusters to which nodes come; leave it out: this one is one machine");
  return executor != "local";
}

// Its nodes stand in no list: one that is to be made has to be described.
void read_elastic(const Field& field, Flavor& flavor, const Configuration& configuration) {
  MapReader map(field);
  if (field.value->kind != Value::Kind::map) return;
  ElasticCapacity elastic;
  if (auto max = map.require("max", "write how many nodes of the flavor there may be"))
    elastic.max_nodes = read_whole_number(*max, 1, kMostElasticNodes).value_or(0);
  elastic.provisioning = read_time(map, "provisioning", seconds(1)).value_or(elastic.provisioning);
  elastic.idle = read_time(map, "idle").value_or(elastic.idle);
  if (auto node = map.require("node", "write what a new node has: {gpus: \"h100:8\", cpus: 96, memory: 1TiB}")) {
    MapReader shape(*node);
    elastic.node = read_node_shape(shape);
    shape.finish();
  }
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

// Whether there could be a node that meets the conditions of both.
bool may_share_nodes(const Flavor& one, const Flavor& other) {
  const auto differ = [](const std::string& a, const std::string& b) { return !a.empty() && !b.empty() && a != b; };
  const auto set_apart = [&](const auto& label) {
    const auto it = other.labels.find(label.first);
    return it != other.labels.end() && it->second != label.second;
  };
  return !differ(one.gpu_type, other.gpu_type) && !differ(one.cluster, other.cluster) &&
         std::ranges::none_of(one.labels, set_apart);
}

// A node is of the first flavor by name, but who makes nodes counts all that an elastic one matches: so that both count
// the same, it shares none with another.
void check_overlap(const std::vector<Field>& fields, const std::vector<Flavor>& flavors) {
  for (std::size_t i = 0; i < flavors.size(); ++i)
    for (std::size_t j = 0; j < flavors.size(); ++j) {
      const bool once = !flavors[j].elastic || i < j;
      if (i == j || !flavors[i].elastic || !once || !may_share_nodes(flavors[i], flavors[j])) continue;
      fields[i].wrong(
          fmt::format("is elastic, and a node may match both '{}' and '{}'; set them apart in `match`: by another "
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
    auto list = read_queues(*queues);
    check_flavors(list.flavors, configuration.flavors);
    configuration.queues = std::move(list.queues);
  }
  if (auto scheduling = map.find("scheduling"))
    read_scheduling(*scheduling, configuration.settings, configuration.warnings);
  if (auto preemption = map.find("preemption")) read_preemption(*preemption, configuration.settings);
  map.finish();
  return configuration;
}

}  // namespace ym::spec
