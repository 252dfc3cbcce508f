#include "executor/kubernetes/pods/pod.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym::kubernetes {
namespace {

constexpr std::string_view kLoader = "ld-linux-x86-64.so.2";
// The agent's own messages: the kubelet shows them with the end of the container, and the log has user code's output
// alone.
constexpr std::string_view kMessages = "/dev/termination-log";

std::int64_t whole_seconds(Duration d) { return (d.ms + 999) / 1000; }

json::object variable(std::string_view name, std::string_view value) { return {{"name", name}, {"value", value}}; }

json::object of_field(std::string_view name, std::string_view path) {
  return {{"name", name}, {"valueFrom", json::object{{"fieldRef", json::object{{"fieldPath", path}}}}}};
}

// The folder for the task's files is inside the volume, because all users may write to the volume itself.
json::array environment(const LaunchRequest& request, std::int32_t task, const TaskAddress& address,
                        const PodOptions& options) {
  json::array env{variable("YM_TASK_URL", address.url),
                  variable("YM_TASK_TOKEN", address.token.reveal()),
                  variable("YM_LAUNCH_TOKEN", to_string(request.token)),
                  variable("YM_TASK_RANK", std::to_string(task)),
                  of_field("YM_TASK_ADDRESS", "status.podIP"),
                  of_field("YM_TASK_NODE", "spec.nodeName"),
                  variable("YM_TASK_GRACE", fmt::format("{}s", whole_seconds(pod_grace(*request.spec, options)))),
                  variable("YM_TASK_DIR", std::string(kTaskFolder) + "/attempt"),
                  variable("YM_TASK_MESSAGES", kMessages)};
  for (const auto& [name, value] : options.agent_env) env.push_back(variable(name, value));
  return env;
}

// Even as root of the image it can gain no rights on the node.
json::object restricted() {
  return {{"allowPrivilegeEscalation", false},
          {"privileged", false},
          {"capabilities", json::object{{"drop", json::array{"ALL"}}}},
          {"seccompProfile", json::object{{"type", "RuntimeDefault"}}}};
}

json::object mount(std::string_view name, std::string_view path, bool read_only) {
  return {{"name", name}, {"mountPath", path}, {"readOnly", read_only}};
}

std::string volume_name(std::size_t i) { return fmt::format("data-{}", i); }

json::array mounts(const TaskResources& resources, const PodOptions& options) {
  json::array list{mount("ym-tools", kToolsFolder, true), mount("ym-task", kTaskFolder, false)};
  if (resources.shm_bytes > 0) list.push_back(mount("ym-shm", "/dev/shm", false));
  for (std::size_t i = 0; i < options.volumes.size(); ++i)
    list.push_back(mount(volume_name(i), options.volumes[i].mount_path, options.volumes[i].read_only));
  return list;
}

json::object source_of(const Volume& volume) {
  if (!volume.claim.empty())
    return {{"persistentVolumeClaim", json::object{{"claimName", volume.claim}, {"readOnly", volume.read_only}}}};
  if (!volume.config_map.empty()) return {{"configMap", json::object{{"name", volume.config_map}}}};
  return {{"hostPath", json::object{{"path", volume.host_path}}}};
}

json::array volumes(const TaskResources& resources, const PodOptions& options) {
  json::array list{json::object{{"name", "ym-tools"}, {"emptyDir", json::object{}}},
                   json::object{{"name", "ym-task"}, {"emptyDir", json::object{}}}};
  if (resources.shm_bytes > 0)
    list.push_back(json::object{
        {"name", "ym-shm"},
        {"emptyDir", json::object{{"medium", "Memory"}, {"sizeLimit", std::to_string(resources.shm_bytes)}}}});
  for (std::size_t i = 0; i < options.volumes.size(); ++i) {
    auto volume = source_of(options.volumes[i]);
    volume["name"] = volume_name(i);
    list.push_back(std::move(volume));
  }
  return list;
}

// Shared memory counts as memory of the container, so its limit covers both.
json::object amounts(const TaskResources& resources, const std::string& gpu_type, const PodOptions& options) {
  json::object list;
  if (resources.cpus > 0) list["cpu"] = fmt::format("{}m", resources.cpus);
  if (resources.memory_bytes > 0) list["memory"] = std::to_string(resources.memory_bytes + resources.shm_bytes);
  if (resources.devices() > 0)
    list[gpu_resource(options, gpu_type, resources.profile)] = std::to_string(resources.devices());
  return list;
}

json::object toleration(const Toleration& in) {
  json::object out{{"operator", in.value.empty() ? "Exists" : "Equal"}};
  if (!in.key.empty()) out["key"] = in.key;
  if (!in.value.empty()) out["value"] = in.value;
  if (!in.effect.empty()) out["effect"] = in.effect;
  return out;
}

json::object labels_of(const std::map<std::string, std::string>& labels) {
  json::object out;
  for (const auto& [name, value] : labels) out[name] = value;
  return out;
}

json::object affinity_to(const std::string& node) {
  const json::object name{{"key", "metadata.name"}, {"operator", "In"}, {"values", json::array{node}}};
  const json::object term{{"matchFields", json::array{name}}};
  return {{"nodeAffinity", json::object{{"requiredDuringSchedulingIgnoredDuringExecution",
                                         json::object{{"nodeSelectorTerms", json::array{term}}}}}}};
}

// A container that only copies the tools, with rights and limits like any other.
json::object tools_container(const PodOptions& options) {
  const json::object little{{"cpu", "100m"}, {"memory", "134217728"}};
  return {{"name", "ym-tools"},
          {"image", options.wrapper_image},
          {"imagePullPolicy", options.pull_policy},
          {"args", json::array{kToolsFolder}},
          {"securityContext", restricted()},
          {"resources", json::object{{"requests", little}, {"limits", little}}},
          {"volumeMounts", json::array{mount("ym-tools", kToolsFolder, false)}}};
}

const std::string& image_of(const JobSpec& spec, const PodOptions& options) {
  return spec.image.empty() ? options.image : spec.image;
}

json::object task_container(const LaunchRequest& request, std::int32_t task, const TaskAddress& address,
                            const PodOptions& options) {
  const auto& resources = request.spec->resources_of(task);
  const auto index = static_cast<std::size_t>(task);
  const auto gpu_type = index < request.nodes.size() ? request.nodes[index].gpu_type : resources.gpu_type;
  const auto list = amounts(resources, gpu_type, options);
  const auto tools = std::string(kToolsFolder);
  return {{"name", kTaskContainer},
          {"image", image_of(*request.spec, options)},
          {"imagePullPolicy", options.pull_policy},
          {"command", json::array{fmt::format("{}/{}", tools, kLoader), "--library-path", tools, tools + "/ym-task"}},
          {"env", environment(request, task, address, options)},
          {"resources", json::object{{"requests", list}, {"limits", list}}},
          {"securityContext", restricted()},
          {"terminationMessagePolicy", "FallbackToLogsOnError"},
          {"volumeMounts", mounts(resources, options)}};
}

json::object metadata(const LaunchRequest& request, const PodKey& key, const PodOptions& options) {
  auto labels = labels_of(pod_labels(key, options.instance)), annotations = labels_of(options.annotations);
  annotations[kTasksAnnotation] = std::to_string(request.placement.size());
  annotations["yardmaster.dev/job-name"] = label_value(request.job_name);
  annotations["yardmaster.dev/owner"] = label_value(request.owner);
  if (!options.kueue_queue.empty()) {
    labels["kueue.x-k8s.io/queue-name"] = options.kueue_queue;
    if (request.placement.size() > 1) {
      labels["kueue.x-k8s.io/pod-group-name"] = pod_name({key.token, 0});
      annotations["kueue.x-k8s.io/pod-group-total-count"] = std::to_string(request.placement.size());
      // Otherwise, after a pod of a gang has failed, Kueue keeps its quota for a replacement that never comes.
      annotations["kueue.x-k8s.io/retriable-in-group"] = "false";
    }
  }
  return {{"name", pod_name(key)}, {"namespace", options.name_space}, {"labels", labels}, {"annotations", annotations}};
}

Result<void> check(const JobSpec& spec, const TaskResources& resources, const TaskAddress& address,
                   const PodOptions& options) {
  if (resources.shares_gpu())
    return fail(ErrorCode::invalid, "Kubernetes has no shares of a GPU: request whole GPUs or slices");
  if (image_of(spec, options).empty())
    return fail(ErrorCode::invalid, "the job has no image, and the cluster has no default: set `image` of one of them");
  if (options.wrapper_image.empty())
    return fail(ErrorCode::invalid, "the cluster has no image of the task agent: set its `wrapper_image`");
  if (address.url.empty()) return fail(ErrorCode::invalid, "its pods need a server address that they can reach");
  return {};
}

}  // namespace

json::array tolerations_of(const PodOptions& options) {
  json::array list;
  for (const auto& each : options.tolerations) list.push_back(toleration(each));
  if (options.tolerate_lost_nodes)
    for (const auto* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"})
      list.push_back(toleration({.key = key, .value = {}, .effect = "NoExecute"}));
  return list;
}

std::string gpu_resource(const PodOptions& options, const std::string& gpu_type, const std::string& profile) {
  if (!profile.empty()) return "nvidia.com/mig-" + profile;
  const auto named = options.gpu_resources.find(gpu_type);
  return named == options.gpu_resources.end() ? "nvidia.com/gpu" : named->second;
}

Duration pod_grace(const JobSpec& spec, const PodOptions& options) {
  return std::max(spec.stop.grace, Duration{}) + options.stop_margin;
}

Result<json::value> render_pod(const LaunchRequest& request, std::int32_t task, const TaskAddress& address,
                               const PodOptions& options) {
  const auto& spec = *request.spec;
  if (auto fine = check(spec, spec.resources_of(task), address, options); !fine) return std::unexpected(fine.error());
  json::object body{{"restartPolicy", "Never"},
                    {"enableServiceLinks", false},
                    {"automountServiceAccountToken", false},
                    {"terminationGracePeriodSeconds", whole_seconds(pod_grace(spec, options))},
                    {"securityContext", json::object{{"seccompProfile", json::object{{"type", "RuntimeDefault"}}}}},
                    {"tolerations", tolerations_of(options)},
                    {"initContainers", json::array{tools_container(options)}},
                    {"containers", json::array{task_container(request, task, address, options)}},
                    {"volumes", volumes(spec.resources_of(task), options)}};
  // A backstop in case the agent does not apply the limit itself.
  if (spec.time_limit)
    body["activeDeadlineSeconds"] = whole_seconds(*spec.time_limit + pod_grace(spec, options) + options.start_margin);
  if (!options.scheduler_name.empty()) body["schedulerName"] = options.scheduler_name;
  if (!options.priority_class.empty()) body["priorityClassName"] = options.priority_class;
  if (!options.runtime_class.empty()) body["runtimeClassName"] = options.runtime_class;
  if (!options.service_account.empty()) body["serviceAccountName"] = options.service_account;
  for (const auto& secret : options.pull_secrets) {
    if (!body.contains("imagePullSecrets")) body["imagePullSecrets"] = json::array{};
    body["imagePullSecrets"].get_array().push_back(json::object{{"name", secret}});
  }
  const auto& node = request.placement[static_cast<std::size_t>(task)].node;
  if (options.node_choice == NodeChoice::ours) body["affinity"] = affinity_to(node);
  else if (options.node_choice == NodeChoice::direct) body["nodeName"] = node;
  else if (!options.node_selector.empty()) body["nodeSelector"] = labels_of(options.node_selector);
  return json::object{{"apiVersion", "v1"},
                      {"kind", "Pod"},
                      {"metadata", metadata(request, {request.token, task}, options)},
                      {"spec", std::move(body)}};
}

}  // namespace ym::kubernetes
