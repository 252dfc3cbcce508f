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
  expect_refused(parse_configuration("clusters: [{name: lab, topology: [rack, rack], nodes: [{names: n1}]}]"),
                 ErrorCode::invalid, "/clusters/0/topology/1");
}

TEST(Configuration, SimulatedClustersSayWhichNodesThereAre) {
  const auto read =
      parse_configuration("clusters: [{name: lab, executor: simulated, calls_per_second: 50, nodes: [{names: n1}]}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->clusters.at(0).cluster.executor, "simulated");
  EXPECT_EQ(read->clusters.at(0).calls_per_second, 50);
  expect_refused(parse_configuration("clusters: [{name: lab, executor: simulated}]"), ErrorCode::invalid,
                 "/clusters/0");
  expect_refused(parse_configuration("clusters: [{name: lab, calls_per_second: 50, nodes: [{names: n1}]}]"),
                 ErrorCode::invalid, "/clusters/0/calls_per_second");
}

TEST(Configuration, RemoteClustersSayHowTheyAreReached) {
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
    return parse_configuration("clusters: [{name: a, " + cluster + "}]");
  };
  expect_refused(with("executor: slurm"), ErrorCode::invalid, "/clusters/0");
  expect_refused(with("executor: slurm, slurm: {log_dir: logs}"), ErrorCode::invalid, "/clusters/0/slurm/log_dir");
  expect_refused(with("executor: slurm, slurm: {log_dir: /l, ca_file: ca.pem}"), ErrorCode::invalid,
                 "/clusters/0/slurm/ca_file");
  expect_refused(with("executor: slurm, slurm: {log_dir: /l, placement: mine}"), ErrorCode::invalid,
                 "/clusters/0/slurm/placement");
  expect_refused(with("executor: slurm, slurm: {log_dir: /l}, nodes: [{names: n1}]"), ErrorCode::invalid,
                 "/clusters/0/nodes");
  expect_refused(with("node_prefix: a-"), ErrorCode::invalid, "/clusters/0/node_prefix");
  expect_refused(with("slurm: {log_dir: /l}"), ErrorCode::invalid, "/clusters/0/slurm");
  expect_refused(with("executor: kubernetes, kubernetes: {queue: team}"), ErrorCode::invalid,
                 "/clusters/0/kubernetes/queue");
  expect_refused(with("executor: kubernetes, kubernetes: {placement: mine}"), ErrorCode::invalid,
                 "/clusters/0/kubernetes/placement");
  expect_refused(with("executor: kubernetes, kubernetes: {start_timeout: 5s}"), ErrorCode::invalid,
                 "/clusters/0/kubernetes/start_timeout");
  expect_refused(with("executor: kubernetes, kubernetes: {mounts: [{mount: /d}]}"), ErrorCode::invalid,
                 "/clusters/0/kubernetes/mounts/0");
  expect_refused(with("executor: kubernetes, kubernetes: {mounts: [{claim: books, mount: d}]}"), ErrorCode::invalid,
                 "/clusters/0/kubernetes/mounts/0/mount");
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
    return parse_configuration("clusters: [{name: lab, executor: simulated, nodes: [{names: n1, " + devices + "}]}]");
  };
  expect_refused(with("mig: '9g.5gb:2'"), ErrorCode::invalid, "/clusters/0/nodes/0/mig");
  expect_refused(with("gpus: 60, mig: '1g.5gb:7'"), ErrorCode::invalid, "/clusters/0/nodes/0/mig");
  expect_refused(with("gpu_memory: 40GiB"), ErrorCode::invalid, "/clusters/0/nodes/0/gpu_memory");
}

}  // namespace
}  // namespace ym::spec
