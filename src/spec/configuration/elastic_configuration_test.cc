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
    return parse_configuration(
        "clusters: [{name: lab}, {name: sim, executor: simulated, nodes: [{names: n}]}]\n"
        "flavors: [{name: f, " +
        flavor + "}]");
  };
  expect_refused(with("elastic: {max: 2, node: {gpus: 1}}"), ErrorCode::invalid, "/flavors/0/elastic");
  expect_refused(with("match: {cluster: lab}, elastic: {max: 2, node: {gpus: 1}}"), ErrorCode::invalid,
                 "/flavors/0/elastic");
  expect_refused(with("match: {cluster: sim}, elastic: {node: {gpus: 1}}"), ErrorCode::invalid,
                 "/flavors/0/elastic/max");
  expect_refused(with("match: {cluster: sim, gpu: a100}, elastic: {max: 1, node: {gpus: \"t4:1\"}}"),
                 ErrorCode::invalid, "/flavors/0/elastic");
  expect_refused(with("match: {cluster: sim}, elastic: {max: 1, provisioning: 0s, node: {gpus: 1}}"),
                 ErrorCode::invalid, "/flavors/0/elastic/provisioning");
  expect_refused(with("match: {cluster: sim}, elastic: {max: 0, node: {gpus: 1}}"), ErrorCode::invalid,
                 "/flavors/0/elastic/max");
}

TEST(Configuration, ElasticFlavorsShareNoNodesWithOthers) {
  const std::string node = "elastic: {max: 2, node: {gpus: \"h100:8\", labels: {pool: a, zone: x}}}";
  const auto with = [&](const std::string& match, const std::string& other) {
    return parse_configuration(
        "clusters: [{name: sim, executor: simulated, nodes: [{names: n}]},\n"
        "  {name: lab, executor: simulated, nodes: [{names: m}]}]\n"
        "flavors: [{name: f, match: {cluster: sim" +
        match + "}, " + node + "}, {name: g" + other + "}]");
  };
  expect_refused(with("", ""), ErrorCode::invalid, "/flavors/0");
  expect_refused(with("", ", match: {gpu: h100}"), ErrorCode::invalid, "/flavors/0");
  expect_refused(with(", labels: {pool: a}", ", match: {cluster: sim, labels: {zone: x}}"), ErrorCode::invalid,
                 "/flavors/0");
  // Said once of two that are elastic.
  expect_refused(with("", ", match: {cluster: sim}, " + node), ErrorCode::invalid, "/flavors/0");
  EXPECT_TRUE(with("", ", match: {cluster: lab}"));
  EXPECT_TRUE(with(", gpu: h100", ", match: {cluster: sim, gpu: a100}"));
  EXPECT_TRUE(with(", labels: {pool: a}", ", match: {cluster: sim, labels: {pool: b}}"));
}

}  // namespace
}  // namespace ym::spec
