#include "executor/kubernetes/nodes/cluster_view.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/objects.h"

namespace ym::kubernetes {
namespace {

using testing::ended;
using testing::pod_of;
using testing::running;

class ClusterViewTest : public ::testing::Test {
 protected:
  ClusterViewTest() {
    const auto node = read_node(testing::object(
        R"({"metadata":{"name":"n1","uid":"u","resourceVersion":"1"},
            "status":{"allocatable":{"cpu":"8","memory":"1Gi","pods":"2"},"capacity":{"cpu":"8","memory":"1Gi","pods":"2"},
                      "conditions":[{"type":"Ready","status":"True"}]}})"));
    view.apply(view.nodes().put(*node), {});
  }
  static PodView pod(std::uint64_t job, const std::string& status, int version = 1) {
    return pod_of({{JobId{job}, 1, 7}, 0}, "n1", status, "u" + std::to_string(job), version);
  }
  ClusterView view{{.cluster = "k"}};
};

TEST_F(ClusterViewTest, OurPodsAndOthersTakeTheSamePlaces) {
  view.apply(view.own().put(pod(1, running())));
  EXPECT_EQ(view.model().at(0).withheld, "");
  auto foreign = pod(2, running());
  foreign.cpus = 3000;
  view.apply(view.foreign().put(foreign));
  ym::testing::expect_sentence(view.model().at(0).withheld);
  EXPECT_EQ(view.model().at(0).cpus, 5000);
  EXPECT_EQ(view.whole().at(0).cpus, 8000) << "used or not";
  ym::testing::expect_sentence(view.whole().at(0).withheld);
  EXPECT_TRUE(view.whole().at(0).full);
  EXPECT_TRUE(view.take_changed());
  view.apply(view.own().put(pod(1, ended("Succeeded", R"({"exitCode":0})"), 2)));
  EXPECT_TRUE(view.take_changed());
  EXPECT_EQ(view.model().at(0).withheld, "") << "one that is over takes none";
}

TEST_F(ClusterViewTest, OurPodsTakeNothingElse) {
  auto ours = pod(1, running());
  ours.cpus = 3000;
  view.apply(view.own().put(ours));
  EXPECT_EQ(view.model().at(0).cpus, 8000) << "the engine accounts for them";
}

TEST_F(ClusterViewTest, OurPodsThatThisServerHasNotPlacedTakeWhatTheyHave) {
  auto ours = pod(1, running());
  ours.cpus = 3000;
  view.set_unplaced([&](const PodView& one) { return one.meta.uid == ours.meta.uid; });
  view.apply(view.own().put(ours));
  EXPECT_EQ(view.model().at(0).cpus, 5000);
}

}  // namespace
}  // namespace ym::kubernetes
