// The keys of clusters: these structs are read from the configuration file and never stored.
#pragma once

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

void read_form(const spec::Field& field, SlurmSettings& slurm, Delegation);
// It is a volume or a folder, not both.
void read_into(const spec::Field& field, Mount& mount, MapOf<Mount>);

}  // namespace ym::keys
