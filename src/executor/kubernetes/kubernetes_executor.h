// The executor `kubernetes`: attempts as pods of one namespace of a Kubernetes cluster.
//
// The API server is listed once and watched from then on: the pods that are ours, the nodes, and what other pods take
// of them. A task is one pod, created by one write and deleted by one; what happens in it is heard from its wrapper
// (executor/remote). What the cluster shows of a node that does not report is doubted: README.md lists how.
//
// What it starts outlives it: an executor made later finds its pods again by their labels, which hold their tokens.
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
#include "executor/remote/task_desk.h"

namespace ym {

struct KubernetesOptions {
  std::string cluster = "kubernetes";  // as Yardmaster calls it
  std::filesystem::path kubeconfig;    // empty: the service account of the pod that we are in
  std::string context;                 // of the kubeconfig; empty: its current one
  std::string name_space;              // empty: what the context, or the service account, says
  std::string identity{};              // set from the kubeconfig and what is here
  std::string server_url;        // as pods reach it: "https://ym.example:8470"; empty: as LaunchRequest::contact says
  kubernetes::PodOptions pod{};  // its name_space and node_selector are set from what is here
  kubernetes::NodeOptions nodes{};  // its cluster, gpu_resources and tolerations too
  bool count_foreign_pods = true;   // needs the right to watch the pods of all namespaces
  std::filesystem::path log_dir;    // logs are kept here when pods go; empty: they are lost then
  RetentionRules log_retention{};   // of those
  Duration keep_finished{};         // pods of attempts that are over
  Duration hopeless = minutes(5);   // what cannot start (an image that cannot be pulled) is given up
  Duration bind = minutes(10);      // placed by us, and still not bound: given up
  // Bound, its node reports, and still not started (image pulls too): given up. So long a gang waits for its last task,
  // too, if that is longer than `desk` says.
  Duration start = minutes(30);
  Duration node_contact = seconds(90);  // more than the cluster takes to notice that a node does not report
  // A cluster that has been away for so long is left by what has not begun: it may begin elsewhere.
  Duration leave_after = minutes(2);
  Duration unavailable = seconds(15);   // without an answer, until the cluster is said to be
  int writers = 16;                     // requests at once that change something
  int log_readers = 8;                  // requests at once for logs of pods that go
  Duration log_wait = minutes(1);       // of a pod that has ended, for its log to be read; then it goes without
  Duration kill_log_wait = seconds(2);  // of one that runs and is to be killed
  remote::DeskOptions desk{.in_containers = true};
};

// What it can be asked besides.
class KubernetesExecutor : public Executor {
 public:
  // Requests made so far, by verb and resource: "create pods".
  virtual std::map<std::string, std::uint64_t> requests() const = 0;
};

// Precondition: the clock outlives the executor. Errors: `invalid`, `io`: the kubeconfig, or options that cannot be.
// The cluster need not answer yet.
Result<std::unique_ptr<KubernetesExecutor>> make_kubernetes_executor(KubernetesOptions options, const Clock& clock);

}  // namespace ym
