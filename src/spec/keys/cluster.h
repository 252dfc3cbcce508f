// The keys of clusters and their nodes in the configuration file. What is stored of them does not follow from these
// tables.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/cluster.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"
#include "spec/documents.h"
#include "spec/text/field.h"

namespace ym::keys {

struct Delegation {};  // "ours" or "delegated"

template <>
struct Keys<SlurmSettings> {
  using R = SlurmSettings;
  static constexpr std::tuple list{
      Key{"log_dir", &R::log_dir, Path{}, About{"Output goes there and is read from there.", "/shared/ym/logs"},
          Traits{.required = "write a folder that its nodes and this machine share"}},
      Key{"partition", &R::partition, Text{}, About{"As for `sbatch`.", "train", "Slurm's default"}},
      Key{"account", &R::account, Text{}, About{"As for `sbatch`.", "vision", "Slurm's default"}},
      Key{"qos", &R::qos, Text{}, About{"As for `sbatch`.", "high", "Slurm's default"}},
      Key{"reservation", &R::reservation, Text{}, About{"As for `sbatch`.", "course", "none"}},
      Form{"placement", Delegation{},
           About{"`ours`: Yardmaster names the nodes. `delegated`: Slurm chooses them.", "delegated", "`ours`"}},
      Key{"wrapper", &R::wrapper, Path{},
          About{"The task agent as the nodes see it. It may be a script that ends in `exec /opt/ym/ym-task \"$@\"`.",
                "/opt/ym/ym-task", "`ym-task` beside `ym`"}},
      Key{"ca_file", &R::ca_file, Path{},
          About{"Certificate authority of an `https` advertise URL, as the nodes see it.", "/etc/ssl/ym-ca.crt",
                "the system's"}},
      Key{"conf", &R::conf, Path{}, About{"SLURM_CONF.", "/etc/slurm/slurm.conf", "Slurm's own"}},
      Key{"bin_dir", &R::bin_dir, Path{}, About{"Folder of `sbatch` and the others.", "/opt/slurm/bin", "by PATH"}},
      Key{"rest", &R::rest, Text{}, About{"Slurmrestd.", "unix:/run/slurmrestd.sock", "the commands"}},
      Key{"jwt_file", &R::jwt_file, Path{},
          About{"Token for slurmrestd (`scontrol token`).", "/etc/ym/slurm.jwt",
                "none: the socket identifies the user"}},
  };
};

template <>
struct Keys<Mount> {
  using R = Mount;
  static constexpr std::tuple list{
      Key{"claim", &R::claim, Text{}, About{"PersistentVolumeClaim.", "datasets", "this or `host_path`"}},
      Key{"host_path", &R::host_path, Path{}, About{"Folder of the node.", "/scratch", "this or `claim`"}},
      Key{"mount", &R::mount, Text{}, About{"Where the program finds it.", "/data"},
          Traits{.required = "write where user code finds it: /data"}},
      Key{"read_only", &R::read_only, Flag{}, About{"The program cannot write there.", "true"}},
  };
};

template <>
struct Keys<KubernetesSettings> {
  using R = KubernetesSettings;
  static constexpr std::tuple list{
      Key{"kubeconfig", &R::kubeconfig, Path{},
          About{"How the API server is reached: token, client certificate, or exec plugin.", "/etc/ym/kubeconfig",
                "in a pod its service account; else `KUBECONFIG`, `~/.kube/config`"}},
      Key{"context", &R::context, Text{}, About{"Context of that file.", "aks", "the current context"}},
      Key{"namespace", &R::name_space, Text{}, About{"Namespace of the jobs' pods.", "yardmaster", "the context's"}},
      Key{"image", &R::image, Text{},
          About{"Image of jobs that name none.", "nvcr.io/nvidia/pytorch:25.01-py3", "each job must name one"}},
      Key{"wrapper_image", &R::wrapper_image, Text{},
          About{"Image of the task agent.", "registry.example/ym-wrapper:0.1"}},
      Key{"scheduler", &R::scheduler, Text{}, About{"Scheduler of the pods.", "gpu-scheduler", "the cluster's"}},
      Key{"queue", &R::queue, Text{},
          About{"LocalQueue of Kueue, which then decides when pods start, a gang's all at once. Needs `placement: "
                "delegated`.",
                "team-a", "none"}},
      Key{"priority_class", &R::priority_class, Text{}, About{"Priority class of the pods.", "training", "none"}},
      Key{"runtime_class", &R::runtime_class, Text{}, About{"Runtime class of the pods.", "nvidia", "the cluster's"}},
      Key{"service_account", &R::service_account, Text{},
          About{"Service account of the pods. Its token is not mounted.", "jobs", "the namespace's default"}},
      Key{"server_ca", &R::server_ca, Text{},
          About{"A ConfigMap with `ca.crt`.", "ym-ca", "what the agent's image trusts"}},
      Key{"gpu_label", &R::gpu_label, Text{},
          About{"Node label that names the GPU. `NVIDIA-H100-80GB-HBM3` becomes `h100`. On GKE write "
                "`cloud.google.com/gke-accelerator`.",
                "cloud.google.com/gke-accelerator", "`nvidia.com/gpu.product`"}},
      Key{"node_selector", &R::node_selector, Labels{},
          About{"Nodes that may be used, for pods and for placeholders.", "{pool: train}", "all nodes"}},
      Key{"gpu_resources", &R::gpu_resources, Labels{},
          About{"Resource that pods request.", "{mi300: amd.com/gpu}",
                "`nvidia.com/gpu`; slices `nvidia.com/mig-PROFILE`"}},
      Key{"placement", &R::placement, OneOf<KubernetesSettings::Placement>{},
          About{
              "`ours`: Yardmaster names the node, the cluster's scheduler binds the pod. `direct`: pods are made "
              "already bound, past the cluster's scheduler; for nodes that only Yardmaster uses, and not with volumes "
              "that wait for their first pod (`WaitForFirstConsumer`). `delegated`: the cluster's scheduler chooses.",
              "delegated", "`ours`"}},
      Key{"start_timeout", &R::start_timeout, Span{minutes(1), hours(24)},
          About{"Time in which a pod that has its node must start, image pulls included. Then it is given up with what "
                "its node reported last, and the attempt is retried as an infrastructure failure. A gang with a first "
                "task waits for its last task as long, and at least 5 min.",
                "1h", "30m"}},
      Key{"tolerations", &R::tolerations, ListOf{Text{}, "tolerations"},
          About{"Taints to tolerate. Nodes with other taints are not used.", "[nvidia.com/gpu]", "none"}},
      Key{"pull_secrets", &R::pull_secrets, ListOf{Text{}, "pull_secrets"},
          About{"Secrets for image pulls.", "[registry]", "none"}},
      Key{"mounts", &R::mounts, ListOf{MapOf<Mount>{}, "mounts"},
          About{"`{claim: NAME, mount: PATH}` or `{host_path: PATH, mount: PATH}`, and `read_only: true`.",
                "[{claim: books, mount: /data}]", "none"}},
  };
};

// What all nodes of one entry share.
template <>
struct Keys<Node> {
  using R = Node;
  static constexpr std::tuple list{
      Form{"gpus", ByHand{NodeGpus{}}, About{"GPUs of each node.", "\"t4:4\"", "0"}},
      Form{"gpu_memory", ByHand{Bytes{}},
           About{"Memory of each of `gpus`, for jobs that share one.", "40GiB", "any amount fits"}},
      Form{
          "mig", ByHand{NodeSlices{}},
          About{"MIG slices of further GPUs. They are devices `m0`, `m1`, ... On a machine as found the driver reports "
                "slices, with UUIDs.",
                "[\"1g.5gb:4\", \"3g.20gb:1\"]"}},
      Key{"cpus", &R::cpus, Amount{"CPUs"}, About{"CPU cores.", "16", "1 for each device, at least 1"}},
      Key{"memory", &R::memory_bytes, Bytes{}, About{"Main memory.", "64GiB"}},
      Key{"labels", &R::labels, Labels{},
          About{"For `match`, `placement.select` and topology. At most 64.", "{rack: r1}"}},
  };
};

// An entry of `nodes`: equal nodes.
struct NodeGroup {
  std::vector<std::string> names;
  Node shape;
};
template <>
struct Keys<NodeGroup> {
  using R = NodeGroup;
  static constexpr std::tuple list{
      Key{"names", &R::names, NodePattern{},
          About{"Names of equal nodes, unique over all clusters.", "\"gpu[08-10],login\""},
          Traits{.required = "write for example n[1-5]"}},
      Part{&R::shape},
  };
};

inline constexpr std::array<std::string_view, 4> kExecutors{"local", "slurm", "kubernetes", "simulated"};

template <>
struct Keys<Cluster> {
  using R = Cluster;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"Unique.", "lab"}, Traits{.required = "give the cluster a name"}},
      Key{"executor", &R::executor, ExecutorName{}, About{"How attempts run. See below.", "slurm", "`local`"}},
      Key{"topology", &R::topology, ListOf{LabelKey{}, "levels", 16},
          About{"Labels, the outermost level first. Nodes are in one domain of a level if they have the same values of "
                "its label and of all outer labels. A job may also ask for a label that is not in the list.",
                "[zone, block, rack]"}},
  };
};

template <>
struct Keys<ClusterConfiguration> {
  using R = ClusterConfiguration;
  static constexpr std::tuple list{
      Part{&R::cluster},
      Key{"nodes", &R::nodes, ByHand{ListOf{MapOf<NodeGroup>{}, "nodes"}},
          About{"Virtual [nodes](#nodes). Required for `simulated`. An error for `slurm` and `kubernetes`, which name "
                "their own nodes.",
                "[{names: \"n[1-5]\"}]", "this machine as found"}},
      Key{"log_cap", &R::log_cap, Bytes{.least = std::int64_t{64} << 10},
          About{"Output that is kept of each task. Later output is dropped, with a mark in the log. A change needs a "
                "restart.",
                "1GiB", "1GiB"}},
      Key{"node_prefix", &R::node_prefix, Name{},
          About{"Prefix for node names, if two clusters use the same names. `slurm` and `kubernetes` only.", "gke-"}},
      Key{"calls_per_second", &R::calls_per_second, Whole{1, 1'000'000},
          About{"Launches and stops a second. `simulated` only.", "50", "no limit"}},
      Key{"slurm", &R::slurm, MapOf<SlurmSettings>{},
          About{"How the Slurm cluster is used. See [Slurm](slurm.md#keys).", "{log_dir: /shared/ym/logs}",
                "required for `slurm`"}},
      Key{"kubernetes", &R::kubernetes, MapOf<KubernetesSettings>{},
          About{"How the Kubernetes cluster is used. See [Kubernetes](kubernetes.md#keys).", "{namespace: yardmaster}",
                "required for `kubernetes`"}},
  };
};

void read_form(const spec::Field& field, SlurmSettings& slurm, Delegation);
// It is a volume or a folder, not both.
void read_into(const spec::Field& field, Mount& mount, MapOf<Mount>);
// Kueue decides when and where pods start.
void read_into(const spec::Field& field, KubernetesSettings& kubernetes, MapOf<KubernetesSettings>);
// GPUs and slices are devices. Without `cpus`, the number of CPUs follows that of devices.
void read_part(spec::MapReader& map, Node& node, MapOf<Node>);
void read_into(const spec::Field& field, Node& node, NewNodes);

}  // namespace ym::keys
