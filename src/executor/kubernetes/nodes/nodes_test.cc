#include "executor/kubernetes/nodes/nodes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/objects.h"

namespace ym::kubernetes {
namespace {

using ym::testing::expect_sentence;

std::string node_json(const std::string& allocatable, const std::string& capacity, const std::string& spec = "{}",
                      const std::string& ready = "True") {
  return fmt::format(
      R"({{"metadata":{{"name":"n","uid":"u","labels":{{"nvidia.com/gpu.product":"NVIDIA-H100-80GB-HBM3","rack":"r1"}}}},"spec":{},
          "status":{{"allocatable":{},"capacity":{},"conditions":[{{"type":"Ready","status":"{}","message":"why"}}]}}}})",
      spec, allocatable, capacity, ready);
}

const std::string kFull = R"({"cpu":"8","memory":"16Gi","nvidia.com/gpu":"4"})";

Node model(const std::string& text, const Taken& taken = {}, NodeOptions options = {.cluster = "k"}) {
  const auto node = read_node(testing::object(text));
  EXPECT_TRUE(node);
  return as_model(*node, taken, options);
}

std::size_t usable(const Node& node) {
  return static_cast<std::size_t>(std::ranges::count_if(node.devices, [](const Device& d) { return d.usable(); }));
}

TEST(Nodes, OfferWhatIsAllocatable) {
  const auto node = model(node_json(R"({"cpu":"7910m","memory":"15Gi","nvidia.com/gpu":"4"})", kFull));
  EXPECT_EQ(node.cluster, "k");
  EXPECT_EQ(node.cpus, 7910);
  EXPECT_EQ(node.memory_bytes, std::int64_t{15} << 30);
  EXPECT_EQ(node.gpu_type, "h100");
  ASSERT_EQ(node.devices.size(), 4U);
  EXPECT_EQ(node.devices[3].id, "3");
  EXPECT_EQ(node.devices[0].physical, "");
  EXPECT_EQ(node.labels.at("rack"), "r1");
  EXPECT_EQ(node.withheld, "");
}

TEST(Nodes, WhatForeignPodsTakeIsNotOffered) {
  Taken taken;
  auto pod = testing::pod_of({{JobId{1}, 1, 1}, 0}, "n");
  pod.cpus = 3000;
  pod.memory_bytes = std::int64_t{20} << 30;
  pod.devices = {{"nvidia.com/gpu", 3}};
  taken.add(pod);
  const auto node = model(node_json(kFull, kFull), taken);
  EXPECT_EQ(node.cpus, 5000);
  EXPECT_EQ(node.memory_bytes, 0);
  EXPECT_EQ(usable(node), 1U);
  EXPECT_TRUE(node.devices[0].usable());
  EXPECT_TRUE(node.devices[1].healthy && node.devices[1].foreign);
}

// A program with the right to create pods may request any amount.
TEST(Nodes, WhatForeignPodsTakeIsNeverMoreThanThereCanBe) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  auto pod = testing::pod_of({{JobId{1}, 1, 1}, 0}, "n");
  pod.cpus = pod.memory_bytes = kMost - 1;
  pod.devices = {{"nvidia.com/gpu", kMost - 1}};
  Taken taken;
  for (int i = 0; i < 3; ++i) taken.add(pod);
  EXPECT_EQ(taken.cpus, kMost);
  EXPECT_EQ(taken.memory_bytes, kMost);
  EXPECT_EQ(taken.devices.at("nvidia.com/gpu"), kMost);
  const auto node = model(node_json(kFull, kFull), taken);
  EXPECT_EQ(node.cpus, 0);
  EXPECT_EQ(usable(node), 0U);
}

TEST(Nodes, ThatHaveAsManyPodsAsTheyTakeAreWithheld) {
  const std::string two = R"({"cpu":"8","memory":"1Gi","pods":"2"})";
  EXPECT_EQ(model(node_json(two, two), {.pods = 1}).withheld, "");
  expect_sentence(model(node_json(two, two), {.pods = 2}).withheld);
  expect_sentence(model(node_json(two, two, "{}", "Unknown"), {.pods = 2}).withheld);
  EXPECT_EQ(model(node_json(kFull, kFull), {.pods = 1000}).withheld, "") << "it does not say how many";
}

TEST(Nodes, ThatAreFullAndNothingElseAreThere) {
  const std::string two = R"({"cpu":"8","memory":"1Gi","pods":"2"})";
  EXPECT_FALSE(model(node_json(two, two), {.pods = 1}).full);
  EXPECT_TRUE(model(node_json(two, two), {.pods = 2}).full);
  EXPECT_FALSE(model(node_json(two, two, "{}", "Unknown"), {.pods = 2}).full);
  EXPECT_FALSE(model(node_json(two, two, R"({"unschedulable":true})"), {.pods = 2}).full);
}

TEST(Nodes, ThatAreNotToBeUsedAreWithheldWithTheReason) {
  expect_sentence(model(node_json(kFull, kFull, "{}", "Unknown")).withheld);
  expect_sentence(model(node_json(kFull, kFull, R"({"unschedulable":true})")).withheld);
  const std::string taint = R"({"taints":[{"key":"gpu","value":"yes","effect":"NoSchedule"}]})";
  expect_sentence(model(node_json(kFull, kFull, taint)).withheld);
  EXPECT_EQ(model(node_json(kFull, kFull, R"({"taints":[{"key":"x","effect":"PreferNoSchedule"}]})")).withheld, "");
  for (const Toleration& toleration :
       {Toleration{"gpu", "", ""}, Toleration{"gpu", "yes", "NoSchedule"}, Toleration{"", "", ""}}) {
    NodeOptions options{.cluster = "k"};
    options.tolerations = {toleration};
    EXPECT_EQ(model(node_json(kFull, kFull, taint), {}, options).withheld, "");
  }
  NodeOptions other{.cluster = "k"};
  other.tolerations = {{"gpu", "no", ""}};
  EXPECT_NE(model(node_json(kFull, kFull, taint), {}, other).withheld, "");
}

// Nine of eight, more than possible, unreadable: the node is not used.
TEST(Nodes, ThatClaimNonsenseAreWithheldWithoutDevices) {
  const auto claims = [](const std::string& gpus, const std::string& of) {
    return node_json(R"({"cpu":"8","memory":"1Gi","nvidia.com/gpu":")" + gpus + "\"}",
                     R"({"cpu":"8","memory":"1Gi","nvidia.com/gpu":")" + of + "\"}");
  };
  for (const auto& text : {claims("9", "8"), claims("100000", "100000"), claims("-1", "8"), claims("x", "8")}) {
    const auto node = model(text);
    expect_sentence(node.withheld);
    EXPECT_TRUE(node.devices.empty()) << text;
  }
  EXPECT_NE(model(node_json(R"({"cpu":"9"})", R"({"cpu":"8"})")).withheld, "");
}

TEST(Nodes, SlicesAreDevicesOfTheirProfile) {
  const std::string amounts = R"({"cpu":"8","memory":"1Gi","nvidia.com/mig-1g.10gb":"2"})";
  const auto node = model(node_json(amounts, amounts));
  ASSERT_EQ(node.devices.size(), 2U);
  EXPECT_EQ(node.devices[1].id, "mig-1g.10gb-1");
  EXPECT_EQ(node.devices[1].profile, "1g.10gb");
}

TEST(Nodes, AreOursByTheirLabels) {
  NodeOptions options{.cluster = "k"};
  const auto node = read_node(testing::object(node_json(kFull, kFull)));
  EXPECT_TRUE(is_ours(*node, options));
  options.select = {{"rack", "r1"}};
  EXPECT_TRUE(is_ours(*node, options));
  options.select = {{"rack", "r2"}};
  EXPECT_FALSE(is_ours(*node, options));
}

TEST(GpuType, IsMadePlain) {
  EXPECT_EQ(plain_gpu_type("NVIDIA-H100-80GB-HBM3"), "h100");
  EXPECT_EQ(plain_gpu_type("NVIDIA-A100-SXM4-40GB"), "a100");
  EXPECT_EQ(plain_gpu_type("Tesla-T4"), "t4");
  EXPECT_EQ(plain_gpu_type("Something"), "something");
  EXPECT_EQ(plain_gpu_type(""), "gpu");
}

// As a scheduler counts: init containers one after the other, sidecars in addition to all.
TEST(PodRequests, AreThoseOfTheBusiestMoment) {
  const auto pod = read_pod(testing::object(
      R"({"metadata":{"name":"p","uid":"u"},"spec":{
          "containers":[{"resources":{"requests":{"cpu":"1","nvidia.com/gpu":"1"}}},{"resources":{"requests":{"cpu":"500m"}}}],
          "initContainers":[{"resources":{"requests":{"cpu":"4"}}},{"restartPolicy":"Always","resources":{"requests":{"memory":"1Mi"}}}]}})"));
  ASSERT_TRUE(pod);
  EXPECT_EQ(pod->cpus, 4000);
  EXPECT_EQ(pod->memory_bytes, 1 << 20);
  EXPECT_EQ(pod->devices.at("nvidia.com/gpu"), 1);
}

}  // namespace
}  // namespace ym::kubernetes
