// What the configuration says of clusters, beside their nodes.
#include <gtest/gtest.h>

#include "spec/documents.h"
#include "spec/test_support.h"

namespace ym::spec {
namespace {

TEST(Configuration, ClustersHaveLevels) {
  const auto read = parse_configuration("clusters: [{name: lab, topology: [block, rack], nodes: [{names: n1}]}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->clusters.at(0).cluster.topology, (std::vector<std::string>{"block", "rack"}));
  EXPECT_EQ(message(parse_configuration("clusters: [{name: lab, topology: [rack, rack], nodes: [{names: n1}]}]")),
            "/clusters/0/topology/1: 'rack' is there twice (line 1)");
}

TEST(Configuration, SimulatedClustersSayWhichNodesThereAre) {
  const auto read =
      parse_configuration("clusters: [{name: lab, executor: simulated, calls_per_second: 50, nodes: [{names: n1}]}]");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->clusters.at(0).cluster.executor, "simulated");
  EXPECT_EQ(read->clusters.at(0).calls_per_second, 50);
  EXPECT_EQ(message(parse_configuration("clusters: [{name: lab, executor: simulated}]")),
            "/clusters/0: is simulated and has no `nodes`; write which there are (line 1)");
  EXPECT_EQ(message(parse_configuration("clusters: [{name: lab, calls_per_second: 50, nodes: [{names: n1}]}]")),
            "/clusters/0/calls_per_second: is for `executor: simulated`; leave it out (line 1)");
}

}  // namespace
}  // namespace ym::spec
