// What the configuration says of clusters, beside their nodes.
#include <gtest/gtest.h>

#include "spec/documents.h"
#include "spec/testing/support.h"

namespace ym::spec {
namespace {

TEST(Configuration, ClustersHaveLevels) {
  const auto read = parse_configuration("clusters: [{name: lab, topology: [block, rack], nodes: [{names: n1}]}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->clusters.at(0).cluster.topology, (std::vector<std::string>{"block", "rack"}));
  EXPECT_EQ(message(parse_configuration("clusters: [{name: lab, topology: [rack, rack], nodes: [{names: n1}]}]")),
            "/clusters/0/topology/1: 'rack' is written twice (line 1)");
}

TEST(Configuration, SimulatedClustersSayWhichNodesThereAre) {
  const auto read =
      parse_configuration("clusters: [{name: lab, executor: simulated, calls_per_second: 50, nodes: [{names: n1}]}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->clusters.at(0).cluster.executor, "simulated");
  EXPECT_EQ(read->clusters.at(0).calls_per_second, 50);
  EXPECT_EQ(message(parse_configuration("clusters: [{name: lab, executor: simulated}]")),
            "/clusters/0: is simulated and has no `nodes`; write its nodes (line 1)");
  EXPECT_EQ(message(parse_configuration("clusters: [{name: lab, calls_per_second: 50, nodes: [{names: n1}]}]")),
            "/clusters/0/calls_per_second: is for `executor: simulated`; leave it out (line 1)");
}

TEST(Configuration, ClustersElsewhereSayHowTheyAreReached) {
  const auto read = parse_configuration(R"(
clusters:
  - name: hpc
    executor: slurm
    slurm: {partition: train, account: ml, placement: delegated, log_dir: /shared/logs, ca_file: /etc/ym/ca.pem}
  - name: aks
    executor: kubernetes
    node_prefix: aks-
    kubernetes: {context: aks, namespace: ml, image: "pytorch:2", gpu_resources: {h100: nvidia.com/gpu},
                 tolerations: [gpu], mounts: [{claim: data, mount: /data, read_only: true}],
                 node_selector: {pool: gpu}, gpu_label: cloud.google.com/gke-accelerator, server_ca: ym-ca, start_timeout: 2h}
)");
  ASSERT_TRUE(read) << message(read);
  const auto& slurm = read->clusters[0].slurm.value();
  EXPECT_EQ(slurm.partition, "train");
  EXPECT_TRUE(slurm.delegated);
  EXPECT_EQ(slurm.ca_file, "/etc/ym/ca.pem");
  EXPECT_FALSE(read->clusters[0].discover);
  const auto& kubernetes = read->clusters[1].kubernetes.value();
  EXPECT_EQ(read->clusters[1].node_prefix, "aks-");
  EXPECT_EQ(kubernetes.name_space, "ml");
  EXPECT_EQ(kubernetes.gpu_resources.at("h100"), "nvidia.com/gpu");
  EXPECT_EQ(kubernetes.node_selector.at("pool"), "gpu");
  EXPECT_EQ(kubernetes.gpu_label, "cloud.google.com/gke-accelerator");
  EXPECT_EQ(kubernetes.server_ca, "ym-ca");
  EXPECT_EQ(kubernetes.start_timeout, hours(2));
  ASSERT_EQ(kubernetes.mounts.size(), 1U);
  EXPECT_EQ(kubernetes.mounts[0].claim, "data");
  EXPECT_TRUE(kubernetes.mounts[0].read_only);
}

TEST(Configuration, RefusesWhatBelongsToAnotherExecutor) {
  const auto with = [](const std::string& cluster) {
    return message(parse_configuration("clusters: [{name: a, " + cluster + "}]"));
  };
  EXPECT_EQ(with("executor: slurm"), "/clusters/0: has no `slurm`; write at least slurm: {log_dir: DIR} (line 1)");
  EXPECT_EQ(with("executor: slurm, slurm: {log_dir: logs}"),
            "/clusters/0/slurm/log_dir: must be an absolute path (line 1)");
  EXPECT_EQ(with("executor: slurm, slurm: {log_dir: /l, ca_file: ca.pem}"),
            "/clusters/0/slurm/ca_file: must be an absolute path (line 1)");
  EXPECT_EQ(with("executor: slurm, slurm: {log_dir: /l, placement: mine}"),
            "/clusters/0/slurm/placement: 'mine' is not a placement; write ours (Yardmaster names the nodes) or "
            "delegated (line 1)");
  EXPECT_EQ(with("executor: slurm, slurm: {log_dir: /l}, nodes: [{names: n1}]"),
            "/clusters/0/nodes: is reported by the cluster itself; leave it out (line 1)");
  EXPECT_EQ(with("node_prefix: a-"),
            "/clusters/0/node_prefix: is for clusters that name their own nodes; leave it out (line 1)");
  EXPECT_EQ(with("slurm: {log_dir: /l}"), "/clusters/0/slurm: is for `executor: slurm`; leave it out (line 1)");
  EXPECT_EQ(
      with("executor: kubernetes, kubernetes: {queue: team}"),
      "/clusters/0/kubernetes/queue: needs `placement: delegated`, because Kueue decides when and where pods start "
      "(line 1)");
  EXPECT_EQ(with("executor: kubernetes, kubernetes: {placement: mine}"),
            "/clusters/0/kubernetes/placement: 'mine' is not known here; write ours, direct or delegated (line 1)");
  EXPECT_EQ(with("executor: kubernetes, kubernetes: {start_timeout: 5s}"),
            "/clusters/0/kubernetes/start_timeout: '5s' is out of range; write 1m to 1d (line 1)");
  EXPECT_EQ(with("executor: kubernetes, kubernetes: {mounts: [{mount: /d}]}"),
            "/clusters/0/kubernetes/mounts/0: write one of `claim` and `host_path` (line 1)");
}

TEST(Configuration, ReadsSlicesAndMemoryOfDevices) {
  const auto read = parse_configuration(R"(
clusters:
  - name: lab
    executor: simulated
    nodes: [{names: n1, gpus: "A100:2", gpu_memory: 40GiB, mig: ["1g.5gb:2", 3g.20gb]},
            {names: n2, gpus: "a100:0", mig: "1g.5gb:7"}]
)");
  ASSERT_TRUE(read) << message(read);
  const auto& node = read->clusters[0].nodes[0];
  ASSERT_EQ(node.devices.size(), 5U);
  EXPECT_EQ(node.devices[1], (Device{.id = "1", .memory_bytes = 40 * kGiB}));
  EXPECT_EQ(node.devices[3], (Device{.id = "m1", .profile = "1g.5gb"}));
  EXPECT_EQ(node.devices[4], (Device{.id = "m2", .profile = "3g.20gb"}));
  EXPECT_EQ(node.gpu_type, "a100");
  EXPECT_EQ(read->clusters[0].nodes[1].gpu_type, "a100");
  EXPECT_EQ(read->clusters[0].nodes[1].devices.size(), 7U);
}

TEST(Configuration, RefusesSlicesThatCannotBe) {
  const auto with = [](const std::string& devices) {
    return message(
        parse_configuration("clusters: [{name: lab, executor: simulated, nodes: [{names: n1, " + devices + "}]}]"));
  };
  EXPECT_EQ(with("mig: '9g.5gb:2'"),
            "/clusters/0/nodes/0/mig: '9g.5gb:2' does not name MIG slices; write for example \"1g.10gb:7\" (line 1)");
  EXPECT_EQ(with("gpus: 60, mig: '1g.5gb:7'"),
            "/clusters/0/nodes/0/mig: 7 is out of range; a node has 1 to 64 devices, slices included (line 1)");
  EXPECT_EQ(with("gpu_memory: 40GiB"),
            "/clusters/0/nodes/0/gpu_memory: is the memory of each of `gpus`, which is missing; leave it out (line 1)");
}

}  // namespace
}  // namespace ym::spec
