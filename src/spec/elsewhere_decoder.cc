#include "spec/elsewhere_decoder.h"

#include <fmt/format.h>

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

bool read_delegated(MapReader& map) {
  const auto field = map.find("placement");
  const auto text = field ? read_string(*field) : std::nullopt;
  if (text && *text != "ours" && *text != "delegated")
    field->wrong(fmt::format("{} is none; write ours (Yardmaster names the nodes) or delegated", quoted(*text)));
  return text == "delegated";
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
  SlurmSettings slurm;
  MapReader map(field);
  slurm.partition = read_text(map, "partition");
  slurm.account = read_text(map, "account");
  slurm.qos = read_text(map, "qos");
  slurm.reservation = read_text(map, "reservation");
  slurm.delegated = read_delegated(map);
  slurm.wrapper = read_path(map, "wrapper");
  if (map.require("log_dir", "write a folder that its nodes and this machine share"))
    slurm.log_dir = read_path(map, "log_dir");
  slurm.ca_file = read_path(map, "ca_file");
  slurm.conf = read_path(map, "conf");
  slurm.bin_dir = read_path(map, "bin_dir");
  slurm.rest = read_text(map, "rest");
  slurm.jwt_file = read_path(map, "jwt_file");
  map.finish();
  return slurm;
}

KubernetesSettings read_kubernetes(const Field& field) {
  KubernetesSettings kubernetes;
  MapReader map(field);
  kubernetes.kubeconfig = read_path(map, "kubeconfig");
  kubernetes.context = read_text(map, "context");
  kubernetes.name_space = read_text(map, "namespace");
  kubernetes.image = read_text(map, "image");
  kubernetes.wrapper_image = read_text(map, "wrapper_image");
  kubernetes.scheduler = read_text(map, "scheduler");
  kubernetes.queue = read_text(map, "queue");
  kubernetes.priority_class = read_text(map, "priority_class");
  kubernetes.runtime_class = read_text(map, "runtime_class");
  kubernetes.service_account = read_text(map, "service_account");
  kubernetes.server_ca = read_text(map, "server_ca");
  kubernetes.gpu_label = read_text(map, "gpu_label");
  if (auto labels = map.find("node_selector"))
    kubernetes.node_selector = read_labels(*labels).value_or(std::map<std::string, std::string>{});
  kubernetes.delegated = read_delegated(map);
  if (!kubernetes.queue.empty() && !kubernetes.delegated)
    map.find("queue")->wrong("needs `placement: delegated`, since Kueue decides when and where pods start");
  kubernetes.tolerations = read_texts(map, "tolerations");
  kubernetes.pull_secrets = read_texts(map, "pull_secrets");
  if (auto resources = map.find("gpu_resources"))
    kubernetes.gpu_resources = read_labels(*resources).value_or(std::map<std::string, std::string>{});
  const auto mounts = map.find("mounts");
  const auto items = mounts ? read_list(*mounts, "mounts") : std::nullopt;
  for (const auto& item : items.value_or(std::vector<Field>())) kubernetes.mounts.push_back(read_mount(item));
  map.finish();
  return kubernetes;
}

}  // namespace ym::spec
