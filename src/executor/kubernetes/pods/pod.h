// The pod of a task, as it is handed to the API server.
//
// Pure. Nothing that a user wrote reaches it but the image, amounts of resources and, made harmless, the names of the
// job and of its owner: what to run comes to the wrapper later, through the start gate. So no job can ask for the
// host's network, its files, another service account or more rights; what is mounted and tolerated is the
// administrator's word.
//
// An init container of our own image copies the wrapper, the supervisor and the libraries that they need into an
// empty folder, from where the container of the job's image runs them: the image needs nothing of ours, not even a
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
  ours,       // the pod may run on the node of its placement only; the cluster's scheduler sees to it that it fits
  direct,     // it is made bound to that node: the kubelet sees to it, and refuses what does not fit
  delegated,  // the cluster's scheduler chooses
};

struct Toleration {
  std::string key, value, effect;  // empty value: whatever it is; empty effect: all
};

// What an administrator lets every pod see.
struct Volume {
  std::string claim;      // name of a PersistentVolumeClaim; or
  std::string host_path;  // a path of the node's; or
  std::string mount_path;
  bool read_only = false;
  std::string config_map{};  // name of a ConfigMap, such as the server's CA
};

struct PodOptions {
  std::string name_space = "default";
  std::string instance = "yardmaster";  // whose pods they are, where several share a namespace
  NodeChoice node_choice = NodeChoice::ours;
  std::string scheduler_name;  // empty: the cluster's default
  std::string wrapper_image;   // deploy/kubernetes
  std::string image;           // of jobs that name none
  std::string pull_policy = "IfNotPresent";
  std::vector<std::string> pull_secrets;
  std::string priority_class, runtime_class, service_account;
  std::map<std::string, std::string> gpu_resources;  // by GPU type; a type that is not named: nvidia.com/gpu
  std::vector<Toleration> tolerations;
  std::map<std::string, std::string> node_selector;  // labels of the nodes that may be used
  bool tolerate_lost_nodes = true;  // goes on when its node is back, instead of being evicted meanwhile
  std::vector<Volume> volumes;
  std::string kueue_queue;  // hands the pods to Kueue; only where the choice of nodes is delegated
  std::map<std::string, std::string> annotations;
  std::map<std::string, std::string> wrapper_env;  // what else the wrapper is told
  Duration stop_margin = seconds(20);              // from the end of a stop's grace to the kubelet's kill
  Duration start_margin = minutes(30);             // pulling the image, and waiting at the gate
};

// Where the task's wrapper finds the server.
struct TaskAddress {
  std::string url;
  Secret token;
};

// The resource name that a GPU type is asked for by; of a slice its profile's.
std::string gpu_resource(const PodOptions& options, const std::string& gpu_type, const std::string& profile);

// Of every pod of ours.
json::array tolerations_of(const PodOptions& options);

// Errors: `invalid`: what the job asks for cannot be had on Kubernetes. Precondition: the task has a placement.
Result<json::value> render_pod(const LaunchRequest& request, std::int32_t task, const TaskAddress& address,
                               const PodOptions& options);

// How long a deleted pod of the job's may take to end.
Duration pod_grace(const JobSpec& spec, const PodOptions& options);

// Where the wrapper is in the container, and where it may write.
inline constexpr std::string_view kToolsFolder = "/ym";
inline constexpr std::string_view kTaskFolder = "/ym-task";
inline constexpr std::string_view kTaskContainer = "task";

}  // namespace ym::kubernetes
