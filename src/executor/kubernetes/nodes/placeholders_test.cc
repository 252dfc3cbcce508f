#include "executor/kubernetes/testing/placeholders.h"

#include <boost/json/serialize.hpp>

namespace ym::kubernetes {
namespace {

using testing::PlaceholdersTest;

TEST_F(PlaceholdersTest, OneForEachNodeThatIsMissing) {
  want(3);
  const auto work = pass({node("n1"), node("n2", "is not ready")});
  EXPECT_EQ(created(work), (std::vector{name(1), name(2)})) << "one is there, and one that is not ready is none";
  EXPECT_TRUE(pass({node("n1")}).create.empty()) << "they are being created";
}

TEST_F(PlaceholdersTest, ANodeThatComesTakesThePlaceOfThatOnIt) {
  want(2);
  pass({});
  for (int i : {1, 2}) placeholders_.tried(name(i));
  show(name(1));
  show(name(2), "n9");
  const auto work = pass({node("n9")});
  ASSERT_EQ(work.remove.size(), 1U);
  EXPECT_EQ(work.remove[0].first, name(2));
  EXPECT_TRUE(work.create.empty());
}

TEST_F(PlaceholdersTest, AreRemovedWhenNoJobWaitsAnyMore) {
  want(2);
  pass({});
  const auto first = show(name(1));
  show(name(2));
  want(0);
  EXPECT_EQ(pass({}).remove.size(), 0U) << "their creation is still under way";
  for (int i : {1, 2}) placeholders_.tried(name(i));
  EXPECT_EQ(pass({}).remove.size(), 2U);
  EXPECT_EQ(pass({}).remove.size(), 0U) << "once";
  placeholders_.removed(first);
  EXPECT_TRUE(placeholders_.any());
}

TEST_F(PlaceholdersTest, WhatAServerBeforeHasLeftIsKnownByItsLabel) {
  show(name(1));
  show(name(2));
  want(1);
  const auto work = pass({});
  EXPECT_TRUE(work.create.empty());
  EXPECT_EQ(work.remove.size(), 1U);
}

TEST_F(PlaceholdersTest, OneThatCouldNotBeCreatedIsTriedAgain) {
  want(1);
  pass({});
  placeholders_.tried(name(1));
  EXPECT_EQ(created(pass({})), std::vector{name(1)});
}

TEST_F(PlaceholdersTest, AFlavorThatIsElasticNoMoreHasNone) {
  want(1);
  pass({});
  placeholders_.tried(name(1));
  show(name(1));
  flavor_.elastic.reset();
  want(0);
  EXPECT_EQ(pass({}).remove.size(), 1U);
}

TEST_F(PlaceholdersTest, AsksForAllGpusOfANewNodeAndKeepsAwayFromThoseThatAreThere) {
  const auto pod = render_placeholder(flavor_, flavor_.elastic->node, name(1), {node("n1")}, options_);
  const auto& spec = pod.at("spec").as_object();
  EXPECT_EQ(spec.at("containers").at(0).at("resources").at("requests").at("nvidia.com/gpu"), "8");
  const auto text = boost::json::serialize(spec.at("affinity"));
  EXPECT_NE(text.find(R"("key":"pool","operator":"In","values":["spot"])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("key":"kubernetes.io/hostname","operator":"NotIn","values":["n1"])"), std::string::npos)
      << text;
  EXPECT_EQ(pod.at("metadata").at("labels").at("yardmaster.dev/managed-by"), "ym1");
}

std::string affinity(const Placeholders::Work& work) {
  return work.create.empty() ? "none" : boost::json::serialize(work.create[0].second.at("spec").at("affinity"));
}

// On a node of another flavor it would find room, and no node would be added.
TEST_F(PlaceholdersTest, KeepsAwayFromAllNodesButThoseOfItsOwnThatMayBeOnTheirWay) {
  options_.node_selector = {{"team", "ml"}};
  placeholders_ = Placeholders(options_);
  auto other = node("other");
  other.labels = {{"pool", "reserved"}};
  auto broken = node("broken", "is not ready");
  broken.labels = other.labels;
  want(2);
  const auto text = affinity(pass({node("n1"), other, broken, node("coming", "is not ready")}));
  EXPECT_NE(text.find(R"("NotIn","values":["n1","other","broken"])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("key":"team","operator":"In","values":["ml"])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("key":"pool","operator":"In","values":["spot"])"), std::string::npos) << text;
}

// The node exists, with all its pods: it is not the requested one.
TEST_F(PlaceholdersTest, ANodeThatIsFullOfPodsIsThere) {
  auto full = node("n1", "has its maximum number of pods (110)");
  full.full = true;
  want(2);
  auto work = pass({full});
  EXPECT_EQ(created(work), std::vector{name(1)});
  EXPECT_NE(affinity(work).find(R"("NotIn","values":["n1"])"), std::string::npos) << affinity(work);
  placeholders_.tried(name(1));
  show(name(1), "n9");
  auto last = node("n9", "has its maximum number of pods (1)");
  last.full = true;
  work = pass({full, last});
  EXPECT_EQ(work.remove.size(), 1U) << "it took the last place, and its node counts";
  EXPECT_TRUE(work.create.empty());
}

TEST_F(PlaceholdersTest, NamesAreLabelsAndOfNoTwoFlavorsTheSame) {
  EXPECT_EQ(name(1).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << name(1);
  EXPECT_NE(placeholder_name("ym", "a_b", 1), placeholder_name("ym", "a.b", 1));
}

// Two servers may share a namespace.
TEST_F(PlaceholdersTest, NamesAreOfNoTwoServersTheSame) {
  EXPECT_NE(placeholder_name("ym1", "Burst", 1), placeholder_name("ym2", "Burst", 1));
  auto options = options_;
  options.instance = "ym2";
  Placeholders others{options};
  want(1);
  others.want(flavor_);
  EXPECT_NE(created(pass({})), created(others.pass({}, now_, true)));
}

}  // namespace
}  // namespace ym::kubernetes
