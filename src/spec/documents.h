// Job files and configuration files: text in, checked model values out.
//
// YAML and JSON go through the same decoder, so a key means the same everywhere.
// Errors are `invalid` with a JSON pointer for each wrong field (for the n-th of
// several documents it starts with "/n") and a message that says what to write;
// unknown keys get a suggestion; from YAML, messages end with the line. Bounds: 1 MiB
// of text (past it: `too_large`), depth 64, 100,000 values, 1,000 documents; no YAML
// aliases, anchors, tags or duplicate keys, no NUL, nothing but UTF-8.
//
// How values are read:
// - Scalars by YAML 1.2's core schema. Where text is wanted (env, run, labels), numbers
//   and booleans count as they are written: `LR: 1e-5` is "1e-5". Where a number is
//   wanted, leading zeros are refused: YAML 1.1 readers take 010 for eight.
// - `cpus` left out: one for each GPU, at least one. `memory` left out: 0, which is
//   neither limited nor counted. A trailing + ("96+") is allowed and changes nothing: an
//   amount is always the least that is wanted.
// - GPU types are compared in lower case: "H100:8" and `match: {gpu: h100}` agree.
// - A node of the configuration without `cpus` has as many as a job of all its GPUs asks
//   for by default; without `memory` it has none to give.
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
#include "model/cluster.h"
#include "model/job_spec.h"
#include "model/policy_settings.h"
#include "model/queue.h"

namespace ym {

// What stands in for keys that a job file leaves out.
struct SubmitDefaults {
  std::string workdir;  // absolute; relative `workdir`s are resolved against it too
};

// One or more YAML documents, each one job.
Result<std::vector<JobSpec>> parse_job_yaml(std::string_view text, const SubmitDefaults& defaults);
// One job as a JSON object.
Result<JobSpec> parse_job_json(std::string_view text, const SubmitDefaults& defaults);

// How a Slurm cluster is used; what is empty is Slurm's own default.
struct SlurmSettings {
  std::string partition, account, qos, reservation;
  bool delegated = false;  // Slurm chooses the nodes
  std::string wrapper;     // ym-task as the nodes see it; empty: beside this program
  std::string log_dir;     // shared by its nodes and this machine
  std::string ca_file;     // by which its nodes know this server, as they see it; empty: the system's
  std::string conf;        // SLURM_CONF
  std::string bin_dir;     // where sbatch is; empty: PATH
  std::string rest;        // of slurmrestd, "unix:/run/slurmrestd.sock" or a URL; empty: the commands
  std::string jwt_file;    // for slurmrestd
};

// Of pods, beside what the job asks for.
struct Mount {
  std::string claim;      // of a PersistentVolumeClaim
  std::string host_path;  // or a folder of the node
  std::string mount;      // where user code finds it
  bool read_only = false;
};

struct KubernetesSettings {
  std::string kubeconfig;  // empty: the pod's own service account, or ~/.kube/config
  std::string context;     // empty: the current one
  std::string name_space;  // empty: the context's
  std::string image;       // of jobs that name none
  std::string wrapper_image;
  std::string scheduler;                    // empty: the cluster's default
  std::string queue;                        // of Kueue; empty: it is not used
  std::string priority_class;               // empty: none
  std::string runtime_class;                // empty: the cluster's default
  std::string service_account;              // of the jobs' pods; empty: the namespace's default. No token is mounted
  std::string server_ca;                    // a ConfigMap with the key ca.crt: who signed the server's certificate
  std::string gpu_label;                    // of nodes, that names the GPU; empty: nvidia.com/gpu.product
  std::optional<Duration> start_timeout{};  // of a pod that has its node; nothing: the executor's own
  std::map<std::string, std::string> node_selector;  // labels of the nodes that are ours
  enum class Placement : std::uint8_t {
    ours,
    direct,    // the same, past its scheduler
    delegated  // its scheduler chooses the nodes
  } placement = Placement::ours;
  std::vector<std::string> tolerations;  // keys of taints
  std::vector<std::string> pull_secrets;
  std::map<std::string, std::string> gpu_resources;  // by GPU type; what is not there: nvidia.com/gpu
  std::vector<Mount> mounts;
};

struct ClusterConfiguration {
  Cluster cluster;
  std::vector<Node> nodes;  // virtual nodes
  bool discover = false;    // no `nodes` given: this machine as found
  std::optional<SlurmSettings> slurm{};
  std::optional<KubernetesSettings> kubernetes{};
  std::string node_prefix{};                     // before the names of nodes that its cluster gives them
  std::optional<std::int64_t> log_cap;           // bytes of each task's log; nothing: the executor's own
  std::optional<std::int64_t> calls_per_second;  // `simulated` only
};

// The server's configuration file.
struct Configuration {
  std::vector<ClusterConfiguration> clusters;  // none given: one local cluster "local", discovered
  std::vector<Flavor> flavors;
  std::vector<Queue> queues;  // parents before children
  PolicySettings settings;    // `scheduling` and `preemption`
  // What is read, but not done as it says. One sentence each, with the pointer and the line; mostly none.
  std::vector<std::string> warnings;
};

Result<Configuration> parse_configuration(std::string_view yaml);

// `ym queue apply -f`: the same `queues:` list. Whether its flavors exist is not checked.
struct QueueDocument {
  std::vector<Queue> queues;          // parents before children
  std::vector<std::string> pointers;  // where each of them stands: "/queues/0/children/1"
  std::set<std::string> says_stop;    // the names of those that say `stop`
};
Result<QueueDocument> parse_queues(std::string_view yaml);

// `ym policy diff|apply -f`: queues and settings of the scheduler as the configuration file has them. What else stands
// in that file is not looked at.
struct PolicyDocument {
  QueueDocument queues;
  // A whole configuration, which has clusters: what it leaves out is as if it had never been set. Of a part it
  // stays as it is.
  bool whole = false;
  PolicySettings settings;            // `scheduling` and `preemption`
  std::vector<std::string> warnings;  // as Configuration has them
};
Result<PolicyDocument> parse_policy(std::string_view yaml);

// A refusal of what stood in this document, made where only the pointers were known: its messages end with the lines,
// as those of the functions above do. Where a pointer leads nowhere, with that of the last thing on the way.
Error with_lines(Error error, std::string_view yaml);

// "n[1-5]" -> n1 .. n5; "gpu[08-10],login" -> gpu08 gpu09 gpu10 login. At most 100,000.
Result<std::vector<std::string>> expand_names(std::string_view pattern);

}  // namespace ym
