// The executor `kubernetes`: attempts as pods in one namespace of a Kubernetes cluster.
//
// It lists the API server once and then watches: its own pods, the nodes, and the resources that other pods use on
// them. A task is one pod, created by one write and deleted by one. Reports about the task come from its agent
// (executor/remote). README.md lists when the cluster's view of a node that does not report is not trusted.
//
// Pods outlive the executor: a later one finds them by their labels, which contain their tokens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "executor/executor.h"
#include "executor/kubernetes/nodes/nodes.h"
#include "executor/kubernetes/pods/pod.h"
#include "executor/logs/retention.h"
#include "executor/remote/task_registry.h"

namespace ym {

struct KubernetesOptions {
  std::string cluster = "kubernetes";  // Yardmaster's name for it
  std::filesystem::path kubeconfig;    // empty: the service account of this process's pod
  std::string context;                 // of the kubeconfig; empty: its current context
  std::string name_space;              // empty: that of the context, or of the service account
  std::string identity{};              // set from the kubeconfig and these options
  std::string server_url;              // for pods: "https://ym.example:8470"; empty: that of LaunchRequest::contact
  kubernetes::PodOptions pod{};        // name_space and node_selector are set from these options
  kubernetes::NodeOptions nodes{};     // cluster, gpu_resources and tolerations too
  bool count_foreign_pods = true;      // needs the right to watch pods in all namespaces
  std::filesystem::path log_dir;       // keeps logs of deleted pods; empty: they are lost
  RetentionRules log_retention{};      // for these logs
  Duration keep_finished{};            // pods of ended attempts
  Duration cannot_start = minutes(5);  // time until a pod that cannot start (its image cannot be pulled) is given up
  Duration bind = minutes(10);         // time until a pod for a chosen node that is still not bound is given up
  // Time until a bound pod that has not started (image pulls included) is given up, if its node reports. A gang also
  // waits this long for its last task, if `desk` does not set a longer time.
  Duration start = minutes(30);
  Duration node_contact = seconds(90);  // longer than the cluster needs to notice that a node does not report
  // Attempts that have not begun leave a cluster that has not answered for this time: they may begin on another.
  Duration leave_after = minutes(2);
  Duration unavailable = seconds(15);   // without an answer, before the cluster is reported as unavailable
  int writers = 16;                     // parallel requests that change something
  int log_readers = 8;                  // parallel requests for logs of pods that go away
  Duration log_wait = minutes(1);       // for the log of an ended pod; then the pod is removed without it
  Duration kill_log_wait = seconds(2);  // for the log of a running pod that is to be killed
  remote::RegistryOptions registry{.in_containers = true};
};

// Additional queries.
class KubernetesExecutor : public Executor {
 public:
  // Number of requests so far, by verb and resource: "create pods".
  virtual std::map<std::string, std::uint64_t> requests() const = 0;
};

// Precondition: the clock outlives the executor. Errors: `invalid`, `io`: the kubeconfig, or invalid options. The
// cluster need not answer yet.
Result<std::unique_ptr<KubernetesExecutor>> make_kubernetes_executor(KubernetesOptions options, const Clock& clock);

}  // namespace ym
