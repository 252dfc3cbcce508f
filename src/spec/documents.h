// Job files and configuration files: text in, checked model values out.
//
// YAML and JSON go through the same decoder, so a key means the same in both.
// Errors: `invalid` with a JSON pointer for each wrong field (for the n-th of several documents it starts with "/n")
// and a message that says what to write. Unknown keys get a suggestion. For YAML, messages end with the line.
// Bounds: 1 MiB of text (beyond it: `too_large`), depth 64, 100,000 values, 1,000 documents. YAML aliases, anchors,
// tags and duplicate keys, NUL, and text other than UTF-8 are refused.
//
// How values are read:
// - Scalars follow the core schema of YAML 1.2. For texts (env, run, labels), numbers and booleans keep their
//   spelling: `LR: 1e-5` is "1e-5". Numbers with leading zeros are refused, because readers of YAML 1.1 take 010
//   for eight.
// - Without `cpus`: one for each GPU, at least one. Without `memory`: 0, which is neither limited nor counted. A
//   trailing + ("96+") is allowed and changes nothing: an amount is always a minimum.
// - GPU types are compared in lower case: "H100:8" and `match: {gpu: h100}` agree.
// - A node of the configuration without `cpus` has the default CPUs of a job that requests all of its GPUs. A node
//   without `memory` has none to give.
//
// Threads: pure functions.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/access/auth_settings.h"
#include "model/cluster.h"
#include "model/history/retention.h"
#include "model/job_spec.h"
#include "model/policy_settings.h"
#include "model/queue.h"

namespace ym {

// Values for keys that a job file leaves out.
struct SubmitDefaults {
  std::string workdir;  // absolute; relative `workdir`s are resolved against it too
};

// One or more YAML documents, each one job.
Result<std::vector<JobSpec>> parse_job_yaml(std::string_view text, const SubmitDefaults& defaults);
// One job as a JSON object.
Result<JobSpec> parse_job_json(std::string_view text, const SubmitDefaults& defaults);

// How to use a Slurm cluster. Empty: Slurm's own default.
struct SlurmSettings {
  std::string partition, account, qos, reservation;
  bool delegated = false;  // Slurm chooses the nodes
  std::string wrapper;     // path of ym-task on its nodes; empty: beside this program
  std::string log_dir;     // shared by its nodes and this machine
  std::string ca_file;     // CA file by which its nodes verify this server, path on the nodes; empty: the system's
  std::string conf;        // SLURM_CONF
  std::string bin_dir;     // folder of sbatch; empty: PATH
  std::string rest;        // of slurmrestd, "unix:/run/slurmrestd.sock" or a URL; empty: use the commands
  std::string jwt_file;    // for slurmrestd
};

// A mount of the cluster's pods, beside the job's own request.
struct Mount {
  std::string claim;      // of a PersistentVolumeClaim
  std::string host_path;  // or a folder of the node
  std::string mount;      // path for user code
  bool read_only = false;
};

struct KubernetesSettings {
  std::string kubeconfig;  // empty: the pod's own service account, or ~/.kube/config
  std::string context;     // empty: the current one
  std::string name_space;  // empty: the context's
  std::string image;       // for jobs that name none
  std::string wrapper_image;
  std::string scheduler;        // empty: the cluster's default
  std::string queue;            // of Kueue; empty: Kueue is not used
  std::string priority_class;   // empty: none
  std::string runtime_class;    // empty: the cluster's default
  std::string service_account;  // of the jobs' pods; empty: the namespace's default. Its token is not mounted
  std::string server_ca;        // ConfigMap with the key ca.crt, the CA of the server's certificate
  std::string gpu_label;        // node label that names the GPU; empty: nvidia.com/gpu.product
  std::optional<Duration> start_timeout{};  // for a pod that has its node to start; nothing: the executor's own
  std::map<std::string, std::string> node_selector;  // labels of the nodes to use
  enum class Placement : std::uint8_t {
    ours,
    direct,    // the same, without the cluster's scheduler
    delegated  // the cluster's scheduler chooses the nodes
  };
  Placement placement = Placement::ours;
  std::vector<std::string> tolerations;  // keys of taints
  std::vector<std::string> pull_secrets;
  std::map<std::string, std::string> gpu_resources;  // by GPU type; a type that is missing: nvidia.com/gpu
  std::vector<Mount> mounts;
};

constexpr std::string_view to_string(KubernetesSettings::Placement value) {
  switch (value) {
    case KubernetesSettings::Placement::ours: return "ours";
    case KubernetesSettings::Placement::direct: return "direct";
    case KubernetesSettings::Placement::delegated: return "delegated";
  }
  return {};
}

struct ClusterConfiguration {
  Cluster cluster;
  std::vector<Node> nodes;  // virtual nodes
  bool discover = false;    // without `nodes`: this machine as found
  std::optional<SlurmSettings> slurm{};
  std::optional<KubernetesSettings> kubernetes{};
  std::string node_prefix{};                     // prefix of the node names that the cluster reports
  std::optional<std::int64_t> log_cap;           // bytes of each task's log; nothing: the executor's own
  std::optional<std::int64_t> calls_per_second;  // `simulated` only
};

// The server's configuration file.
struct Configuration {
  std::vector<ClusterConfiguration> clusters;  // without `clusters`: one local cluster "local", discovered
  std::vector<Flavor> flavors;
  std::vector<Queue> queues;  // parents before children
  PolicySettings settings;    // `scheduling` and `preemption`
  std::optional<AuthSettings> auth{};
  std::optional<Retention> retention{};  // nothing: all history stays in the database
  // Settings that were read but have no effect as written. One sentence each, with pointer and line; usually none.
  std::vector<std::string> warnings;
};

Result<Configuration> parse_configuration(std::string_view yaml);

// `ym queue apply -f`: the `queues:` list of a configuration. Does not check that its flavors exist.
struct QueueDocument {
  std::vector<Queue> queues;          // parents before children
  std::vector<std::string> pointers;  // pointer of each: "/queues/0/children/1"
  std::set<std::string> says_stop;    // names of queues that set `stop`
};
Result<QueueDocument> parse_queues(std::string_view yaml);

// `ym policy diff|apply -f`: queues and settings of the scheduler, in the form of the configuration file. Ignores the
// other keys of that file.
struct PolicyDocument {
  QueueDocument queues;
  // A whole configuration has clusters: settings that it leaves out have their defaults. Settings that a part leaves
  // out do not change.
  bool whole = false;
  PolicySettings settings;            // `scheduling` and `preemption`
  std::vector<std::string> warnings;  // as in Configuration
};
Result<PolicyDocument> parse_policy(std::string_view yaml);

// Adds lines to an error whose fields point into this document, as the functions above do. A pointer that leads
// nowhere gets the line of its last known step.
Error with_lines(Error error, std::string_view yaml);

// "n[1-5]" -> n1 .. n5; "gpu[08-10],login" -> gpu08 gpu09 gpu10 login. At most 100,000 names.
Result<std::vector<std::string>> expand_names(std::string_view pattern);

}  // namespace ym
