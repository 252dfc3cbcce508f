// Kinds of values that only clusters and nodes have, and structs with checks across their keys.
#include <fmt/format.h>

#include <algorithm>

#include "spec/configuration/node_devices.h"
#include "spec/keys/cluster.h"
#include "spec/keys/read.h"
#include "spec/text/labels.h"

namespace ym::keys {

std::optional<std::string> read(const Field& field, ExecutorName) {
  const auto place = read_word(field, kExecutors);
  return place ? std::optional(std::string(kExecutors.at(*place))) : std::nullopt;
}
std::optional<std::vector<std::string>> read(const Field& field, NodePattern) { return spec::read_node_pattern(field); }

void read_form(const Field& field, SlurmSettings& slurm, Delegation) {
  const auto text = spec::read_string(field);
  slurm.delegated = text == "delegated";
  if (text && *text != "ours" && *text != "delegated")
    field.wrong(fmt::format("{} is not a placement; write ours (Yardmaster names the nodes) or delegated",
                            spec::quoted(*text)));
}

void read_into(const Field& field, Mount& mount, MapOf<Mount>) {
  read_struct(field, mount);
  if (mount.claim.empty() == mount.host_path.empty()) field.wrong("write one of `claim` and `host_path`");
  if (!mount.mount.empty() && !mount.mount.starts_with('/'))
    MapReader(field).find("mount")->wrong("must begin with a slash, as in /data");
}

void read_into(const Field& field, KubernetesSettings& kubernetes, MapOf<KubernetesSettings>) {
  read_struct(field, kubernetes);
  if (!kubernetes.queue.empty() && kubernetes.placement != KubernetesSettings::Placement::delegated)
    MapReader(field).find("queue")->wrong(
        "needs `placement: delegated`, because Kueue decides when and where pods start");
}

void read_part(MapReader& map, Node& node, MapOf<Node>) {
  spec::read_devices(map, node);
  node.cpus = std::max<std::int64_t>(1, std::ssize(node.devices)) * kMilli;
  read_keys(map, node);
}

void read_into(const Field& field, Node& node, NewNodes) {
  MapReader map(field);
  read_part(map, node, MapOf<Node>{});
  map.finish();
}

}  // namespace ym::keys
