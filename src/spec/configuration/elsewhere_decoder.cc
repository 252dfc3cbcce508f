#include "spec/elsewhere_decoder.h"

#include <fmt/format.h>

#include <initializer_list>
#include <map>
#include <string>

#include "spec/labels.h"

namespace ym::spec {
namespace {

std::string read_text(MapReader& map, std::string_view key) {
  const auto field = map.find(key);
  return field ? read_string(*field).value_or("") : std::string();
}

std::string read_path(MapReader& map, std::string_view key) {
  const auto field = map.find(key);
  const auto path = field ? read_string(*field) : std::nullopt;
  if (path && !path->starts_with('/')) field->wrong("must be an absolute path");
  return path.value_or("");
}

// A key whose value becomes a field of the settings, and how it is read.
template <class Settings>
struct TextKey {
  std::string_view key;
  std::string Settings::* field;
  std::string (*read)(MapReader&, std::string_view) = read_text;
};

template <class Settings>
void read_keys(MapReader& map, Settings& settings, std::initializer_list<TextKey<Settings>> keys) {
  for (const auto& one : keys) settings.*one.field = one.read(map, one.key);
}

bool read_delegated(MapReader& map) {
  const auto field = map.find("placement");
  const auto text = field ? read_string(*field) : std::nullopt;
  if (text && *text != "ours" && *text != "delegated")
    field->wrong(fmt::format("{} is none; write ours (Yardmaster names the nodes) or delegated", quoted(*text)));
  return text == "delegated";
}

KubernetesSettings::Placement read_placement(MapReader& map) {
  using enum KubernetesSettings::Placement;
  static const std::map<std::string_view, KubernetesSettings::Placement> kNames{
      {"ours", ours}, {"direct", direct}, {"delegated", delegated}};
  const auto field = map.find("placement");
  const auto text = field ? read_string(*field) : std::nullopt;
  if (!text) return ours;
  if (const auto found = kNames.find(*text); found != kNames.end()) return found->second;
  field->wrong(
      fmt::format("{} is none; write ours (Yardmaster names the nodes), direct (and passes the cluster's "
                  "scheduler by) or delegated",
                  quoted(*text)));
  return ours;
}

Mount read_mount(const Field& field) {
  Mount mount;
  MapReader map(field);
  mount.claim = read_text(map, "claim");
  mount.host_path = read_path(map, "host_path");
  if (auto at = map.require("mount", "write where user code finds it: /data"))
    mount.mount = read_string(*at).value_or("");
  if (auto only = map.find("read_only")) mount.read_only = read_flag(*only).value_or(false);
  if (mount.claim.empty() == mount.host_path.empty()) field.wrong("write one of `claim` and `host_path`");
  map.finish();
  return mount;
}

std::map<std::string, std::string> read_pairs(MapReader& map, std::string_view key) {
  const auto field = map.find(key);
  return field ? read_labels(*field).value_or(std::map<std::string, std::string>{})
               : std::map<std::string, std::string>{};
}

std::vector<std::string> read_texts(MapReader& map, std::string_view key) {
  std::vector<std::string> texts;
  const auto field = map.find(key);
  const auto items = field ? read_list(*field, key) : std::nullopt;
  for (const auto& item : items.value_or(std::vector<Field>()))
    if (auto text = read_string(item)) texts.push_back(std::move(*text));
  return texts;
}

}  // namespace

SlurmSettings read_slurm(const Field& field) {
  using S = SlurmSettings;
  S slurm;
  MapReader map(field);
  read_keys<S>(map, slurm,
               {{"partition", &S::partition},
                {"account", &S::account},
                {"qos", &S::qos},
                {"reservation", &S::reservation},
                {"wrapper", &S::wrapper, read_path},
                {"ca_file", &S::ca_file, read_path},
                {"conf", &S::conf, read_path},
                {"bin_dir", &S::bin_dir, read_path},
                {"rest", &S::rest},
                {"jwt_file", &S::jwt_file, read_path}});
  if (map.require("log_dir", "write a folder that its nodes and this machine share"))
    slurm.log_dir = read_path(map, "log_dir");
  slurm.delegated = read_delegated(map);
  map.finish();
  return slurm;
}

KubernetesSettings read_kubernetes(const Field& field) {
  using K = KubernetesSettings;
  K kubernetes;
  MapReader map(field);
  read_keys<K>(map, kubernetes,
               {{"kubeconfig", &K::kubeconfig, read_path},
                {"context", &K::context},
                {"namespace", &K::name_space},
                {"image", &K::image},
                {"wrapper_image", &K::wrapper_image},
                {"scheduler", &K::scheduler},
                {"queue", &K::queue},
                {"priority_class", &K::priority_class},
                {"runtime_class", &K::runtime_class},
                {"service_account", &K::service_account},
                {"server_ca", &K::server_ca},
                {"gpu_label", &K::gpu_label}});
  kubernetes.node_selector = read_pairs(map, "node_selector");
  kubernetes.gpu_resources = read_pairs(map, "gpu_resources");
  kubernetes.placement = read_placement(map);
  if (!kubernetes.queue.empty() && kubernetes.placement != KubernetesSettings::Placement::delegated)
    map.find("queue")->wrong("needs `placement: delegated`, since Kueue decides when and where pods start");
  if (const auto most = map.find("start_timeout"))
    kubernetes.start_timeout = read_duration(*most, minutes(1), hours(24));
  kubernetes.tolerations = read_texts(map, "tolerations");
  kubernetes.pull_secrets = read_texts(map, "pull_secrets");
  const auto mounts = map.find("mounts");
  const auto items = mounts ? read_list(*mounts, "mounts") : std::nullopt;
  for (const auto& item : items.value_or(std::vector<Field>())) kubernetes.mounts.push_back(read_mount(item));
  map.finish();
  return kubernetes;
}

}  // namespace ym::spec
