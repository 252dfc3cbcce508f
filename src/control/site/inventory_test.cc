// What executors see of their clusters.
#include "control/testing/controller_fixture.h"

namespace ym::testing {
namespace {

class InventoryTest : public ControllerTest {
 protected:
  void SetUp() override { open(observed()); }

  static DesiredState observed() {
    return {.clusters = {{.name = "lab", .executor = "slurm"}, {.name = "other", .executor = "simulated"}},
            .nodes = {[] {
              Node mine = node("o1", 1);
              mine.cluster = "other";
              return mine;
            }()},
            .observed = {"lab"}};
  }
  void see(std::vector<Node> nodes) { observe(Token{}, NodesAreSeen{"lab", std::move(nodes)}); }
  const std::map<std::string, Node>& nodes() const { return controller_->tables().nodes; }
};

TEST_F(InventoryTest, NodesComeAndGo) {
  see({node("n1", 4), node("n2", 4)});
  EXPECT_EQ(nodes().size(), 3U);
  EXPECT_EQ(events_.back().actor, "executor:lab");
  see({node("n2", 4)});
  EXPECT_FALSE(nodes().contains("n1"));
  const auto before = events_.size();
  see({node("n2", 4)});
  EXPECT_EQ(events_.size(), before) << "the same is no news";
}

TEST_F(InventoryTest, ANodeInUseLeavesWhenNothingRunsThere) {
  see({node("n1", 4)});
  const auto id = submit(spec_of("a", 4));
  schedule();
  const auto token = attempt(id).token();
  see({});
  ASSERT_TRUE(nodes().contains("n1"));
  EXPECT_FALSE(nodes().at("n1").schedulable);
  observe(token, TaskIsRunning{0});
  observe(token, exits(0));
  EXPECT_FALSE(nodes().contains("n1"));
}

TEST_F(InventoryTest, ANodeDrainedByAUserStaysDrainedAndOneThatItsClusterWithholdsIsGivenToNoJob) {
  see({node("n1", 4), node("n2", 4)});
  ASSERT_TRUE(execute(SetNodeSchedulable{.node = "n1", .schedulable = false}));
  Node down = node("n2", 4);
  down.withheld = "down: power";
  see({node("n1", 4), down});
  EXPECT_FALSE(nodes().at("n1").schedulable);
  const auto id = submit(spec_of("a", 4));
  schedule();
  EXPECT_EQ(job(id).state, JobState::queued);
  see({node("n1", 4), node("n2", 4)});
  schedule();
  EXPECT_EQ(job(id).state, JobState::starting);
  EXPECT_EQ(attempt(id).placement.front().node, "n2");
}

TEST_F(InventoryTest, DevicesThatOthersUseAreGivenToNoJob) {
  Node shared = node("n1", 4);
  shared.devices[3].foreign = true;
  see({shared});
  const auto large = submit(spec_of("large", 4));
  const auto small = submit(spec_of("small", 3));
  schedule();
  EXPECT_EQ(job(large).state, JobState::queued);
  EXPECT_EQ(job(small).state, JobState::starting);
}

TEST_F(InventoryTest, ANameBelongsToOneCluster) {
  see({node("o1", 8), node("n1", 4)});
  EXPECT_EQ(nodes().at("o1").cluster, "other");
  EXPECT_EQ(nodes().size(), 2U);
  see({});
  EXPECT_TRUE(nodes().contains("o1"));
}

TEST_F(InventoryTest, AClusterThatDoesNotAnswerGetsNothingNew) {
  see({node("n1", 4)});
  observe(Token{}, ClusterIsSeen{.cluster = "lab", .available = false, .message = "connection refused"});
  EXPECT_EQ(events_.back().reason, "connection refused");
  const auto id = submit(spec_of("a", 4));
  schedule();
  EXPECT_EQ(job(id).pending, ReasonCode::cluster_unavailable);
  const auto before = events_.size();
  ASSERT_TRUE(controller_->stage_configuration(observed()));
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(events_.size(), before) << "the file does not know whether it answers, nor its nodes";
  observe(Token{}, ClusterIsSeen{.cluster = "lab", .available = true, .message = {}});
  schedule();
  EXPECT_EQ(job(id).state, JobState::starting);
}

TEST_F(InventoryTest, NodesAreAskedForOnceAndSaidAgainAfterARestart) {
  DesiredState desired = observed();
  Node fresh = node("", 4);
  desired.flavors = {{.name = "burst", .cluster = "lab", .elastic = ElasticCapacity{.max_nodes = 3, .node = fresh}},
                     {.name = "own", .cluster = "other"}};
  ASSERT_TRUE(controller_->stage_configuration(desired));
  ASSERT_TRUE(controller_->commit());
  const auto first = submit(spec_of("a", 4)), second = submit(spec_of("b", 4));
  schedule();
  EXPECT_EQ(job(first).pending, ReasonCode::provisioning);
  ASSERT_FALSE(executor_.provisioned().empty());
  EXPECT_EQ(executor_.provisioned().back().wanted.nodes, 2);
  EXPECT_EQ(controller_->tables().flavors.at("burst").wanted.nodes, 2);
  const auto before = executor_.provisioned().size();
  schedule();
  EXPECT_EQ(executor_.provisioned().size(), before);
  see({node("gke-1", 4)});
  schedule();
  EXPECT_EQ(job(first).state, JobState::starting);
  EXPECT_EQ(controller_->tables().flavors.at("burst").wanted.nodes, 2) << "one is there, one is still wanted";
  ASSERT_TRUE(controller_->stage_configuration(desired));
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(controller_->tables().flavors.at("burst").wanted.nodes, 2) << "the file does not say how many";
  see({node("gke-1", 4), node("gke-2", 4)});
  schedule();
  EXPECT_EQ(job(second).state, JobState::starting);
  EXPECT_EQ(executor_.provisioned().back().wanted.nodes, 0);
  EXPECT_TRUE(executor_.provisioned().back().elastic);
  desired.flavors.front().elastic.reset();
  ASSERT_TRUE(controller_->stage_configuration(desired));
  ASSERT_TRUE(controller_->commit());
  EXPECT_EQ(executor_.provisioned().back().name, "burst");
  EXPECT_FALSE(executor_.provisioned().back().elastic) << "nobody makes nodes of it any more";
}

TEST_F(InventoryTest, ANodeThatVanishedUnderItsJobIsNoneOfThoseThatAreThere) {
  DesiredState desired = observed();
  desired.flavors = {
      {.name = "burst", .cluster = "lab", .elastic = ElasticCapacity{.max_nodes = 3, .node = node("", 4)}}};
  ASSERT_TRUE(controller_->stage_configuration(desired));
  ASSERT_TRUE(controller_->commit());
  see({node("gke-1", 4)});
  submit(spec_of("runs", 4));
  schedule();
  submit(spec_of("waits", 4));
  see({});
  ASSERT_TRUE(nodes().contains("gke-1"));
  EXPECT_EQ(nodes().at("gke-1").withheld, "gone");
  schedule();
  ASSERT_FALSE(executor_.provisioned().empty());
  EXPECT_EQ(executor_.provisioned().back().wanted.nodes, 1);
  see({node("gke-1", 4)});
  EXPECT_TRUE(nodes().at("gke-1").in_service()) << "it is back";
}

}  // namespace
}  // namespace ym::testing
