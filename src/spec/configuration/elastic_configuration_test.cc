// What the configuration says of clusters, beside their nodes.
#include <gtest/gtest.h>

#include "spec/documents.h"
#include "spec/testing/support.h"

namespace ym::spec {
namespace {

TEST(Configuration, ReadsNodesThatCouldBeMade) {
  const auto read = parse_configuration(R"(
clusters:
  - {name: cloud, executor: simulated, nodes: [{names: c1, gpus: "h100:8"}]}
flavors:
  - name: burst
    match: {cluster: cloud, gpu: h100, labels: {pool: spot}}
    elastic: {max: 16, provisioning: 8m, idle: 5m, node: {gpus: "h100:8", cpus: 96, memory: 1TiB}}
)");
  ASSERT_TRUE(read) << message(read);
  const auto& elastic = read->flavors[0].elastic.value();
  EXPECT_EQ(elastic.max_nodes, 16);
  EXPECT_EQ(elastic.provisioning, minutes(8));
  EXPECT_EQ(elastic.idle, minutes(5));
  EXPECT_EQ(elastic.node.devices.size(), 8U);
  EXPECT_EQ(elastic.node.cpus, 96'000);
  EXPECT_EQ(elastic.node.labels.at("pool"), "spot") << "a new node meets the flavor's own conditions";
  EXPECT_TRUE(read->flavors[0].matches(elastic.node));
}

TEST(Configuration, SaysWhatIsWrongWithNodesThatCouldBeMade) {
  const auto with = [](const std::string& flavor) {
    return message(
        parse_configuration("clusters: [{name: lab}, {name: sim, executor: simulated, nodes: [{names: n}]}]\n"
                            "flavors: [{name: f, " +
                            flavor + "}]"));
  };
  EXPECT_EQ(with("elastic: {max: 2, node: {gpus: 1}}"),
            "/flavors/0/elastic: needs a `cluster` in the flavor's `match`: the cluster that makes the nodes (line 2)");
  EXPECT_EQ(with("match: {cluster: lab}, elastic: {max: 2, node: {gpus: 1}}"),
            "/flavors/0/elastic: is for clusters that can get more nodes; this cluster is one machine, so leave it out "
            "(line 2)");
  EXPECT_EQ(with("match: {cluster: sim}, elastic: {node: {gpus: 1}}"),
            "/flavors/0/elastic/max: is missing; write how many nodes of the flavor there may be (line 2)");
  EXPECT_EQ(with("match: {cluster: sim, gpu: a100}, elastic: {max: 1, node: {gpus: \"t4:1\"}}"),
            "/flavors/0/elastic: describes a node that does not meet the flavor's own `match` (line 2)");
  EXPECT_EQ(with("match: {cluster: sim}, elastic: {max: 1, provisioning: 0s, node: {gpus: 1}}"),
            "/flavors/0/elastic/provisioning: '0s' is out of range; write 1s to 7d (line 2)");
  EXPECT_EQ(with("match: {cluster: sim}, elastic: {max: 0, node: {gpus: 1}}"),
            "/flavors/0/elastic/max: 0 is out of range; write a whole number from 1 to 100000 (line 2)");
}

TEST(Configuration, ElasticFlavorsShareNoNodesWithOthers) {
  const std::string node = "elastic: {max: 2, node: {gpus: \"h100:8\", labels: {pool: a, zone: x}}}";
  const auto with = [&](const std::string& match, const std::string& other) {
    return message(
        parse_configuration("clusters: [{name: sim, executor: simulated, nodes: [{names: n}]},\n"
                            "  {name: lab, executor: simulated, nodes: [{names: m}]}]\n"
                            "flavors: [{name: f, match: {cluster: sim" +
                            match + "}, " + node + "}, {name: g" + other + "}]"));
  };
  const std::string both =
      "/flavors/0: is elastic, and a node may match both 'f' and 'g'; separate them in `match`: by another `cluster`, "
      "another `gpu` or another value of the same label (line 3)";
  EXPECT_EQ(with("", ""), both);
  EXPECT_EQ(with("", ", match: {gpu: h100}"), both);
  EXPECT_EQ(with(", labels: {pool: a}", ", match: {cluster: sim, labels: {zone: x}}"), both);
  EXPECT_EQ(with("", ", match: {cluster: sim}, " + node), both) << "said once of two that are elastic";
  EXPECT_EQ(with("", ", match: {cluster: lab}"), "(no error)");
  EXPECT_EQ(with(", gpu: h100", ", match: {cluster: sim, gpu: a100}"), "(no error)");
  EXPECT_EQ(with(", labels: {pool: a}", ", match: {cluster: sim, labels: {pool: b}}"), "(no error)");
}

}  // namespace
}  // namespace ym::spec
