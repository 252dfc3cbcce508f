#include "spec/configuration/node_devices.h"

#include <fmt/format.h>

#include "spec/text/quantities.h"

namespace ym::spec {
namespace {

void add_slices(const Field& field, std::int64_t& added, Node& node) {
  const auto text = read_string(field);
  if (!text) return;
  const auto slices = parse_slices(*text);
  if (!slices)
    return field.wrong(fmt::format("{} does not name MIG slices; write for example \"1g.10gb:7\"", quoted(*text)));
  if (slices->count < 1 || node.devices.size() + static_cast<std::size_t>(slices->count) > kMaxDevicesPerNode)
    return field.wrong(fmt::format("{} is out of range; a node has 1 to {} devices, slices included", slices->count,
                                   kMaxDevicesPerNode));
  for (std::int64_t i = 0; i < slices->count; ++i)
    node.devices.push_back({.id = fmt::format("m{}", added++), .profile = slices->profile});
}

void read_mig(const Field& field, Node& node) {
  std::int64_t added = 0;
  if (field.value->kind != Value::Kind::list) return add_slices(field, added, node);
  const auto items = read_list(field, "slices");
  for (const auto& item : items.value_or(std::vector<Field>())) add_slices(item, added, node);
}

}  // namespace

void read_devices(MapReader& map, Node& node) {
  const auto memory = map.find("gpu_memory"), mig = map.find("mig");
  const auto bytes = memory ? read_bytes(*memory).value_or(0) : 0;
  std::int64_t gpus = 0;
  if (const auto field = map.find("gpus")) {
    const auto read = read_gpus(*field, static_cast<std::int64_t>(kMaxDevicesPerNode));
    gpus = read ? read->count : 0;
    node.gpu_type = read && (gpus > 0 || mig) ? read->type : "";
  }
  for (std::int64_t i = 0; i < gpus; ++i) node.devices.push_back({.id = std::to_string(i), .memory_bytes = bytes});
  if (mig) read_mig(*mig, node);
  if (memory && gpus == 0) memory->wrong("is the memory of each of `gpus`, which is missing; leave it out");
}

}  // namespace ym::spec
