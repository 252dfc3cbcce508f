#include "executor/kubernetes/pods/lost_pods.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/executor.h"
#include "executor/remote/testing/slow_store.h"

namespace ym::kubernetes {
namespace {

using testing::ended;
using testing::eventually;
using testing::ExecutorTest;
using testing::object;
using testing::pod_of;
using testing::running;

constexpr Token kLostToken{JobId{77}, 2, 7}, kKnown{JobId{42}, 1, 7};

ListedPod listed(std::int32_t task, std::optional<std::int32_t> of, const std::string& node,
                 const std::string& status = running(), const Token& token = kLostToken) {
  return {pod_of({token, task}, node, status, "u" + std::to_string(task)), of};
}

std::vector<LostLaunch> lost(const std::vector<ListedPod>& pods) {
  return lost_among(pods, "yardmaster", [](const Token& token) { return token != kKnown; });
}

TEST(LostPods, WhatTheStateDoesNotKnowIsNamedWithItsNodes) {
  const auto found = lost({listed(1, 2, "n2"), listed(0, 2, "n1"), listed(0, 1, "n3", running(), kKnown)});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].token, kLostToken);
  EXPECT_EQ(found[0].placement, (std::vector<TaskPlacement>{{0, "n1", {}}, {1, "n2", {}}}));
  EXPECT_TRUE(found[0].lives);
  ym::testing::expect_sentence(found[0].where);
}

TEST(LostPods, OfWhatIsNotWholeNoPlacementIsSaid) {
  EXPECT_TRUE(lost({listed(0, 2, "n1")}).at(0).placement.empty());
  EXPECT_TRUE(lost({listed(0, std::nullopt, "n1")}).at(0).placement.empty()) << "of an earlier version";
  EXPECT_TRUE(lost({listed(1, 1, "n1")}).at(0).placement.empty());
}

TEST(LostPods, WhatIsOverIsNamedForAsLongAsItIsThere) {
  const auto over = ended("Failed", R"({"exitCode":3})");
  EXPECT_FALSE(lost({listed(0, 1, "n1", over)}).at(0).lives);
  EXPECT_TRUE(lost({listed(0, 2, "n1", over), listed(1, 2, "n2")}).at(0).lives);
  EXPECT_TRUE(lost({listed(0, 1, "n1", R"({"phase":"Failed","reason":"NodeLost"})")}).at(0).lives) << "hearsay";
}

TEST(LostPods, ALaunchOfWhichAPodWasNeverBoundIsNone) {
  EXPECT_TRUE(lost({listed(0, 2, "n1"), listed(1, 2, "", R"({"phase":"Pending"})")}).empty());
  EXPECT_EQ(lost({listed(0, 1, "n1", R"({"phase":"Pending"})")}).size(), 1U) << "its node may not have said all";
}

TEST(LostPods, HowManyThereAreTheirAnnotationsSay) {
  EXPECT_EQ(tasks_of_attempt(object(R"({"metadata":{"annotations":{"yardmaster.dev/tasks":"3"}}})")), 3);
  EXPECT_EQ(tasks_of_attempt(object(R"({"metadata":{"annotations":{"kueue.x-k8s.io/pod-group-total-count":"2"}}})")),
            2);
  EXPECT_FALSE(tasks_of_attempt(object(R"({"metadata":{"annotations":{"yardmaster.dev/tasks":"x"}}})")));
  EXPECT_FALSE(tasks_of_attempt(object(R"({"metadata":{}})")));
}

class LostOnCluster : public ExecutorTest {
 protected:
  // A server with a state that does not know the launches of the earlier one.
  void make_without_it() {
    executor = std::make_unique<ExecutorImpl>(options, std::move(http), clock);
    executor->know_lost([this](const Token& token) { return token == launch.token; });
  }
  // The pod as the earlier server has left it, running.
  void put_running() {
    auto pod = render_pod(launch, 0, {.url = "http://s", .token = Secret("t")}, options.pod);
    ASSERT_TRUE(pod);
    auto& meta = pod->at("metadata").as_object();
    meta["uid"] = "u";
    meta["resourceVersion"] = "2";
    pod->at("spec").as_object()["nodeName"] = "n1";
    pod->as_object()["status"] = object(running());
    api->put(pod_name({launch.token, 0}), *pod);
  }
  LaunchRequest launch = launch_of(1, {"n1"});
};

// With PostgreSQL the store may not answer for half a minute.
TEST_F(LostOnCluster, NoCallWaitsForTheStoreThatIsAskedWhatIsLost) {
  ym::testing::SlowStore store;
  api->put_node("n1");
  put_running();
  executor = std::make_unique<ExecutorImpl>(options, std::move(http), clock);
  executor->know_lost(store.judge());
  executor->begin_epoch(8);
  ASSERT_TRUE(executor->start(seen.sink(), {}));
  store.wait_until_asked();
  executor->stop({JobId{3}, 1, 8}, {.grace = {}});
  EXPECT_TRUE(store.let_go()) << "the stop has waited for it";
  executor.reset();
}

TEST_F(LostOnCluster, ItIsListedAndLetBe) {
  api->put_node("n1");
  api->answer_logs();
  put_running();
  make_without_it();
  const auto found = executor->lost_launches();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front().placement, (std::vector<TaskPlacement>{{0, "n1", {}}}));
  executor->begin_epoch(8);
  ASSERT_TRUE(executor->start(seen.sink(), {}));
  ASSERT_TRUE(eventually([&] { return api->has_listed_pods() && !seen.of<NodesAreSeen>({}).empty(); }));
  clock.advance(hours(1));
  // A finished pod of a known launch serves as a clock: when it is gone, the other one was examined too.
  put({kKnown, 0}, "n1", "Succeeded");
  api->end_watches();
  EXPECT_TRUE(eventually([&] {
    clock.advance(seconds(1));
    return api->asked("DELETE") == std::vector{pod_name({kKnown, 0})};
  }));
}

}  // namespace
}  // namespace ym::kubernetes
