#include "remote_executors.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "executor/kubernetes/kubernetes_executor.h"
#include "executor/slurm/slurm_executor.h"
#include "spec/files/configuration_file.h"

namespace ym {
namespace {

// The task agent is installed beside this program. Nodes that share this file system find it at the same path.
std::string task_agent_beside_us() { return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "ym-task"; }

Result<Secret> read_secret(const std::string& path) {
  if (path.empty()) return Secret();
  auto text = read_text(path, "token file");
  if (!text) return std::unexpected(text.error());
  while (!text->empty() && (text->back() == '\n' || text->back() == ' ')) text->pop_back();
  return Secret(std::move(*text));
}

// The file that kubectl would use. Empty in a pod, which uses its service account.
std::filesystem::path kubeconfig_of(const KubernetesSettings& settings) {
  if (!settings.kubeconfig.empty() || std::getenv("KUBERNETES_SERVICE_HOST") != nullptr) return settings.kubeconfig;
  if (const char* named = std::getenv("KUBECONFIG")) return named;
  const char* home = std::getenv("HOME");
  return home == nullptr ? std::filesystem::path() : std::filesystem::path(home) / ".kube/config";
}

kubernetes::NodeChoice node_choice(KubernetesSettings::Placement placement) {
  using Placement = KubernetesSettings::Placement;
  if (placement == Placement::delegated) return kubernetes::NodeChoice::delegated;
  return placement == Placement::direct ? kubernetes::NodeChoice::direct : kubernetes::NodeChoice::ours;
}

kubernetes::PodOptions pod_options(const KubernetesSettings& settings, const Site& site) {
  kubernetes::PodOptions pod;
  pod.instance = site.instance;
  pod.node_choice = node_choice(settings.placement);
  pod.scheduler_name = settings.scheduler;
  pod.wrapper_image = settings.wrapper_image;
  pod.image = settings.image;
  pod.pull_secrets = settings.pull_secrets;
  pod.priority_class = settings.priority_class;
  pod.gpu_resources = settings.gpu_resources;
  for (const auto& key : settings.tolerations) pod.tolerations.push_back({.key = key, .value = {}, .effect = {}});
  for (const auto& mount : settings.mounts)
    pod.volumes.push_back({mount.claim, mount.host_path, mount.mount, mount.read_only});
  pod.runtime_class = settings.runtime_class;
  pod.service_account = settings.service_account;
  if (!settings.server_ca.empty()) {
    constexpr const char* kFolder = "/ym-ca";
    pod.volumes.push_back({.mount_path = kFolder, .read_only = true, .config_map = settings.server_ca});
    pod.agent_env["YM_TASK_CA_FILE"] = std::string(kFolder) + "/ca.crt";
  }
  pod.kueue_queue = settings.queue;
  return pod;
}

}  // namespace

std::filesystem::path pod_log_dir(const std::filesystem::path& state_dir, const std::string& cluster) {
  return state_dir / "pod-logs" / cluster;
}

Result<std::unique_ptr<Executor>> make_slurm(const ClusterConfiguration& cluster, const Site& site,
                                             const Clock& clock) {
  const SlurmSettings& settings = *cluster.slurm;
  auto jwt = read_secret(settings.jwt_file);
  if (!jwt) return std::unexpected(jwt.error());
  SlurmOptions options{.cluster = cluster.cluster.name,
                       .conf = settings.conf,
                       .bin_dir = settings.bin_dir,
                       .partition = settings.partition,
                       .account = settings.account,
                       .qos = settings.qos,
                       .reservation = settings.reservation};
  options.placement = settings.delegated ? SlurmPlacement::delegated : SlurmPlacement::ours;
  options.instance = site.instance;
  options.wrapper = settings.wrapper.empty() ? task_agent_beside_us() : settings.wrapper;
  options.log_dir = settings.log_dir;
  options.server_url = site.url_remote;
  options.ca_file = settings.ca_file;
  if (cluster.log_cap) options.registry.log_cap = *cluster.log_cap;
  options.rest.url = settings.rest;
  options.rest.jwt = std::move(*jwt);
  return make_slurm_executor(std::move(options), clock);
}

Result<std::unique_ptr<Executor>> make_kubernetes(const ClusterConfiguration& cluster, const Site& site,
                                                  const Clock& clock) {
  const KubernetesSettings& settings = *cluster.kubernetes;
  KubernetesOptions options{.cluster = cluster.cluster.name,
                            .kubeconfig = kubeconfig_of(settings),
                            .context = settings.context,
                            .name_space = settings.name_space,
                            .server_url = site.url_remote};
  options.pod = pod_options(settings, site);
  options.nodes.select = settings.node_selector;
  if (!settings.gpu_label.empty()) options.nodes.gpu_type_label = settings.gpu_label;
  if (settings.start_timeout) options.start = *settings.start_timeout;
  options.log_dir = pod_log_dir(site.state_dir, cluster.cluster.name);
  if (cluster.log_cap) options.registry.log_cap = *cluster.log_cap;
  return make_kubernetes_executor(std::move(options), clock);
}

}  // namespace ym
