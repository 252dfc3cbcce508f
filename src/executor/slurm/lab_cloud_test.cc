// On a real Slurm: nodes that are off until it starts them.
#include "executor/slurm/testing/lab.h"

namespace ym::slurm {
namespace {

class OnCloudNodes : public OnRealSlurm {
 protected:
  static void SetUpTestSuite() { start_lab({.nodes = 1, .cloud = 2}); }
  // As the engine sees it.
  std::optional<Node> node(const std::string& name) const {
    const auto lists = said<NodesAreSeen>({});
    if (lists.empty()) return std::nullopt;
    const auto found = std::ranges::find(lists.back().nodes, name, &Node::name);
    return found == lists.back().nodes.end() ? std::nullopt : std::optional(*found);
  }
  static std::string power_of(const Node& node) {
    const auto label = node.labels.find("slurm-power");
    return label == node.labels.end() ? "" : label->second;
  }
  // Its power state and whether it was withheld, in every list, without repetitions.
  std::vector<std::string> history(const std::string& name) const {
    std::vector<std::string> all;
    for (const auto& list : said<NodesAreSeen>({}))
      for (const auto& one : list.nodes)
        if (auto word = power_of(one) + (one.withheld.empty() ? "" : " " + one.withheld);
            one.name == name && (all.empty() || all.back() != word))
          all.push_back(word);
    return all;
  }
};

TEST_F(OnCloudNodes, ANodeThatIsOffIsStartedForAJobOfOursAndOffAgainAfterIt) {
  stand_in_->code("sleep 1; exit 3");
  options_.poll = seconds(1);
  options_.node_poll = seconds(1);
  begin();
  ASSERT_TRUE(until([&] { return node("c1").has_value(); }));
  EXPECT_EQ(power_of(*node("c1")), "down");
  EXPECT_TRUE(node("c1")->in_service()) << node("c1")->withheld;
  EXPECT_EQ(node("c1")->devices.size(), 8U);
  executor_->launch(request(token(), {"c1"}));
  ASSERT_TRUE(await<TaskHasEnded>(token())) << queue() << lab_->run({"scontrol", "-o", "show", "node", "c1"});
  EXPECT_EQ(said<TaskHasEnded>(token()).front().exit.exit_code, 3);
  EXPECT_EQ(stand_in_->ran(), std::vector<std::string>{to_string(token()) + ".0 c1 0"});
  EXPECT_TRUE(said<ContactIsLost>(token()).empty());
  executor_->release(token());
  ASSERT_TRUE(until([&] { return history("c1").size() > 3 && power_of(*node("c1")) == "down"; }));
  EXPECT_EQ(history("c1"), (std::vector<std::string>{"down", "starting", "", " powering down in Slurm", "down"}));
}

// `wanted` nodes in total, with n1, which is always on.
Flavor elastic(std::int64_t wanted) {
  Flavor flavor{.name = "h100", .gpu_type = "h100", .cluster = "lab"};
  flavor.elastic = ElasticCapacity{.max_nodes = 3, .provisioning = minutes(1)};
  flavor.wanted.nodes = wanted;
  return flavor;
}

TEST_F(OnCloudNodes, NodesOfAnElasticFlavorAreOfferedWhenTheyAreUpAndStartedWhenTheyAreWanted) {
  stand_in_->code("exit 0");
  options_.poll = options_.node_poll = seconds(1);
  begin();
  executor_->provision(elastic(0));
  const std::string off = "down off in Slurm until it is needed";
  ASSERT_TRUE(until([&] { return node("c1") && !node("c1")->withheld.empty(); }));
  EXPECT_EQ(history("c1").back(), off);
  EXPECT_TRUE(node("n1")->in_service());

  executor_->provision(elastic(2));
  ASSERT_TRUE(until([&] { return node("c1")->in_service(); })) << queue();
  EXPECT_EQ(node("c1")->cpus, 16 * kMilli) << "what wakes it is not taken off";
  EXPECT_EQ(history("c2").back(), off) << "one was enough";
  ASSERT_TRUE(until([&] { return lab_->run({"squeue", "-h", "-t", "PD,R,CG,CF", "-o", "%j"}).empty(); })) << queue();

  executor_->launch(request(token(), {"c1"}));
  ASSERT_TRUE(await<TaskHasEnded>(token())) << queue();
  executor_->release(token());
  executor_->provision(elastic(0));
  ASSERT_TRUE(until([&] { return history("c1").back() == off; }));
}

TEST_F(OnCloudNodes, AServerAfterARestartFindsThePowerUpJobs) {
  options_.poll = options_.node_poll = seconds(1);
  begin();
  executor_->provision(elastic(3));
  ASSERT_TRUE(until([&] { return lab_->run({"squeue", "-h", "-o", "%j"}).find("ym-node-c2-") != std::string::npos; }));
  finish();
  begin();
  executor_->provision(elastic(2));
  ASSERT_TRUE(
      until([&] { return node("c1") && node("c2") && (node("c1")->in_service() || node("c2")->in_service()); }));
  ASSERT_TRUE(until([&] { return lab_->run({"squeue", "-h", "-t", "PD,R,CG,CF", "-o", "%j"}).empty(); })) << queue();
  executor_->provision(elastic(0));
}

}  // namespace
}  // namespace ym::slurm
