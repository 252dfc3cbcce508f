// The pod of a task, for the API server.
//
// Pure. From a user it contains only the image, amounts of resources, and the names of the job and its owner, made
// harmless. The agent gets the program later, after the launch barrier opens. So no job can request the host's network
// or files, another service account, or more rights. The administrator sets mounts and tolerations.
//
// An init container of Yardmaster's own image copies the agent, the supervisor and their libraries into an empty
// folder. The container with the job's image runs them from there, so the image needs nothing of Yardmaster, not even a
// libc.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "executor/executor.h"
#include "executor/kubernetes/api/json.h"
#include "executor/kubernetes/pods/names.h"

namespace ym::kubernetes {

enum class NodeChoice : std::uint8_t {
  ours,       // the pod may run only on the node of its placement; the cluster's scheduler checks that it fits
  direct,     // created bound to that node; the kubelet checks that it fits
  delegated,  // the cluster's scheduler chooses
};

struct Toleration {
  std::string key, value, effect;  // empty value: any; empty effect: all
};

// A volume that an administrator mounts in every pod.
struct Volume {
  std::string claim;      // name of a PersistentVolumeClaim; or
  std::string host_path;  // a path of the node; or
  std::string mount_path;
  bool read_only = false;
  std::string config_map{};  // name of a ConfigMap, such as the server's CA
};

struct PodOptions {
  std::string name_space = "default";
  std::string instance = "yardmaster";  // tells servers in one namespace apart
  NodeChoice node_choice = NodeChoice::ours;
  std::string scheduler_name;  // empty: the cluster's default
  std::string wrapper_image;   // deploy/kubernetes
  std::string image;           // of jobs without one
  std::string pull_policy = "IfNotPresent";
  std::vector<std::string> pull_secrets;
  std::string priority_class, runtime_class, service_account;
  std::map<std::string, std::string> gpu_resources;  // by GPU type; default: nvidia.com/gpu
  std::vector<Toleration> tolerations;
  std::map<std::string, std::string> node_selector;  // labels of usable nodes
  bool tolerate_lost_nodes = true;                   // continues when its node is back; it is not evicted meanwhile
  std::vector<Volume> volumes;
  std::string kueue_queue;  // gives the pods to Kueue; only with delegated node choice
  std::map<std::string, std::string> annotations;
  std::map<std::string, std::string> agent_env;  // further variables for the agent
  Duration stop_margin = seconds(20);            // from the end of a stop's grace to the kubelet's kill
  Duration start_margin = minutes(30);           // for image pulls and the launch barrier
};

// Address of the server for the agent of the task.
struct TaskAddress {
  std::string url;
  Secret token;
};

// Resource name of a GPU type; for a slice that of its profile.
std::string gpu_resource(const PodOptions& options, const std::string& gpu_type, const std::string& profile);

// Of every pod of this server.
json::array tolerations_of(const PodOptions& options);

// Errors: `invalid`: Kubernetes cannot provide what the job requests. Precondition: the task has a placement.
Result<json::value> render_pod(const LaunchRequest& request, std::int32_t task, const TaskAddress& address,
                               const PodOptions& options);

// How long a deleted pod of the job may take to end.
Duration pod_grace(const JobSpec& spec, const PodOptions& options);

// Folders in the container: the agent, and where it may write.
inline constexpr std::string_view kToolsFolder = "/ym";
inline constexpr std::string_view kTaskFolder = "/ym-task";
inline constexpr std::string_view kTaskContainer = "task";

}  // namespace ym::kubernetes
