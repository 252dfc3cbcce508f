#include "executor/kubernetes/placeholders.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace ym::kubernetes {
namespace {

class PlaceholdersTest : public ::testing::Test {
 protected:
  PlaceholdersTest() {
    flavor_.elastic = ElasticCapacity{.max_nodes = 8};
    flavor_.elastic->node.gpu_type = "h100";
    for (int i = 0; i < 8; ++i) flavor_.elastic->node.devices.push_back({.id = std::to_string(i)});
  }

  void want(std::int64_t nodes) {
    flavor_.wanted.nodes = nodes;
    placeholders_.want(flavor_);
  }
  static Node node(const std::string& name, const std::string& withheld = {}) {
    return {.name = name, .cluster = "gke", .gpu_type = "h100", .labels = {{"pool", "spot"}}, .withheld = withheld};
  }
  PodView show(const std::string& name, const std::string& on = {}) {
    PodView pod;
    pod.meta = {.name = name, .name_space = "ml", .uid = "uid-" + name, .version = "1"};
    pod.labels = {{std::string(kPlaceholderLabel), "Burst"}};
    pod.node = on;
    placeholders_.seen(pod);
    return pod;
  }
  std::vector<std::string> created(const Placeholders::Work& work) {
    std::vector<std::string> names;
    for (const auto& [name, body] : work.create) names.push_back(name);
    return names;
  }

  static std::string name(int number) { return placeholder_name("Burst", number); }
  PodOptions options_{.name_space = "ml", .instance = "ym1", .wrapper_image = "wrapper"};
  Flavor flavor_{.name = "Burst", .gpu_type = "h100", .cluster = "gke", .labels = {{"pool", "spot"}}};
  Placeholders placeholders_{options_};
};

TEST_F(PlaceholdersTest, OneForEachNodeThatIsMissing) {
  want(3);
  const auto work = placeholders_.pass({node("n1"), node("n2", "is not ready")});
  EXPECT_EQ(created(work), (std::vector{name(1), name(2)})) << "one is there, and one that is not ready is none";
  EXPECT_TRUE(placeholders_.pass({node("n1")}).create.empty()) << "they are being created";
}

TEST_F(PlaceholdersTest, ANodeThatComesTakesThePlaceOfThatOnIt) {
  want(2);
  placeholders_.pass({});
  for (int i : {1, 2}) placeholders_.tried(name(i));
  show(name(1));
  show(name(2), "n9");
  const auto work = placeholders_.pass({node("n9")});
  ASSERT_EQ(work.remove.size(), 1U);
  EXPECT_EQ(work.remove[0].first, name(2));
  EXPECT_TRUE(work.create.empty());
}

TEST_F(PlaceholdersTest, NobodyWaitsAnyMore) {
  want(2);
  placeholders_.pass({});
  const auto first = show(name(1));
  show(name(2));
  want(0);
  EXPECT_EQ(placeholders_.pass({}).remove.size(), 0U) << "their creation is still under way";
  for (int i : {1, 2}) placeholders_.tried(name(i));
  EXPECT_EQ(placeholders_.pass({}).remove.size(), 2U);
  EXPECT_EQ(placeholders_.pass({}).remove.size(), 0U) << "once";
  placeholders_.removed(first);
  EXPECT_TRUE(placeholders_.any());
}

TEST_F(PlaceholdersTest, WhatAServerBeforeHasLeftIsKnownByItsLabel) {
  show(name(1));
  show(name(2));
  want(1);
  const auto work = placeholders_.pass({});
  EXPECT_TRUE(work.create.empty());
  EXPECT_EQ(work.remove.size(), 1U);
}

TEST_F(PlaceholdersTest, OneThatCouldNotBeCreatedIsTriedAgain) {
  want(1);
  placeholders_.pass({});
  placeholders_.tried(name(1));
  EXPECT_EQ(created(placeholders_.pass({})), std::vector{name(1)});
}

TEST_F(PlaceholdersTest, AFlavorThatIsElasticNoMoreHasNone) {
  want(1);
  placeholders_.pass({});
  placeholders_.tried(name(1));
  show(name(1));
  flavor_.elastic.reset();
  want(0);
  EXPECT_EQ(placeholders_.pass({}).remove.size(), 1U);
}

TEST_F(PlaceholdersTest, AsksForAllGpusOfANewNodeAndKeepsAwayFromThoseThatAreThere) {
  const auto pod = render_placeholder(flavor_, name(1), {node("n1")}, options_);
  const auto& spec = pod.at("spec").as_object();
  EXPECT_EQ(spec.at("containers").at(0).at("resources").at("requests").at("nvidia.com/gpu"), "8");
  const auto text = boost::json::serialize(spec.at("affinity"));
  EXPECT_NE(text.find(R"("key":"pool","operator":"In","values":["spot"])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("key":"kubernetes.io/hostname","operator":"NotIn","values":["n1"])"), std::string::npos)
      << text;
  EXPECT_EQ(pod.at("metadata").at("labels").at("yardmaster.dev/managed-by"), "ym1");
}

TEST_F(PlaceholdersTest, NamesAreLabelsAndOfNoTwoFlavorsTheSame) {
  EXPECT_EQ(name(1).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << name(1);
  EXPECT_NE(placeholder_name("a_b", 1), placeholder_name("a.b", 1));
}

}  // namespace
}  // namespace ym::kubernetes
