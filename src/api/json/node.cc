#include "api/json/render.h"
#include "base/assert.h"

namespace ym::api {
namespace {

// The attempts that use a device. If several share it, the first one is also in `job`.
void write_users(JsonWriter& json, const DeviceUse& use) {
  const auto& attempts = use.attempts;
  json.key("job");
  if (attempts.empty()) json.value(nullptr);
  else json.value(to_string(attempts.front().job));
  json.field("attempt", attempts.empty() ? std::nullopt : std::optional(attempts.front().number));
  json.key("jobs").begin_array();
  for (const auto& attempt : attempts) json.value(to_string(attempt.job));
  json.end_array();
  json.field("hidden_jobs", use.hidden);
}

std::optional<std::string> if_any(const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); }

void write_devices(JsonWriter& json, const Node& node, const std::vector<DeviceUse>* uses) {
  json.key("devices").begin_array();
  for (std::size_t i = 0; i < node.devices.size(); ++i) {
    const auto& device = node.devices[i];
    json.begin_object().field("id", device.id).field("healthy", device.healthy);
    json.field("foreign", device.foreign);
    json.field("message", if_any(device.message)).field("profile", if_any(device.profile));
    json.field("memory", device.memory_bytes == 0 ? std::nullopt : std::optional(device.memory_bytes));
    if (uses != nullptr) {
      YM_ASSERT(uses->size() == node.devices.size());
      write_users(json, (*uses)[i]);
    }
    json.end_object();
  }
  json.end_array();
}

void write_members(JsonWriter& json, const Node& node, const std::vector<DeviceUse>* uses) {
  json.field("name", node.name);
  json.field("cluster", node.cluster);
  json.key("gpu_type");
  if (node.gpu_type.empty()) json.value(nullptr);
  else json.value(node.gpu_type);
  write_devices(json, node, uses);
  json.key("cpus").thousandths(node.cpus);
  json.field("memory", node.memory_bytes);
  json.key("labels").begin_object();
  for (const auto& [name, text] : node.labels) json.field(name, text);
  json.end_object();
  json.field("schedulable", node.schedulable);
  json.key("withheld");
  if (node.withheld.empty()) json.value(nullptr);
  else json.value(node.withheld);
  json.field("message", node.message);
}

}  // namespace

void write_node_object(JsonWriter& json, const Node& node) {
  json.begin_object();
  write_members(json, node, nullptr);
  json.end_object();
}

void write_node(JsonWriter& json, const NodeView& view) {
  json.begin_object();
  write_members(json, view.node, &view.devices);
  json.key("used").begin_object();
  for (std::size_t i = 0; i < kResourceKinds; ++i) {
    const ResourceKind kind = resource_kind(i);
    write_amount(json.key(to_string(kind)), kind, view.used[kind]);
  }
  json.end_object().key("enforcement").begin_object();
  for (const auto& [what, how] : view.enforcement) json.field(what, how);
  json.end_object().end_object();
}

}  // namespace ym::api
