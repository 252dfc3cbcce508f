#include "engine/quota/fair_share.h"

#include <gtest/gtest.h>

#include "engine/quota/demand.h"

namespace ym::engine {
namespace {

struct Amount {
  std::string flavor;
  ResourceKind kind;
  std::int64_t amount;
};

constexpr auto kCpus = ResourceKind::cpus;
constexpr auto kShared = ResourceKind::gpus;

// The queue "cq", which lends and borrows with "lending-cq" in a cohort.
struct Pair {
  std::vector<Amount> nominal, lent;
  std::vector<Amount> kept{};  // lending limits of both: nothing is lent of these
  std::vector<Amount> used{}, more{};
  std::int64_t weight_milli = 1000;

  Share share() const {
    std::map<std::string, Queue> rows;
    rows["cohort"] = Queue{.name = "cohort"};
    rows["cq"] = queue("cq", nominal);
    rows["cq"].weight_milli = weight_milli;
    rows["lending-cq"] = queue("lending-cq", lent);
    Names<QueueIndex> names;
    Names<FlavorIndex> flavors;
    QuotaTree tree;
    tree.rebuild(rows, names, flavors);
    for (const auto& one : used) tree.add(names.find("cq"), flavors.find(one.flavor), vector(one));
    ResourceVector extra;
    for (const auto& one : more) extra[one.kind] += one.amount;
    return share_with(tree, names.find("cq"), more.empty() ? FlavorIndex{0} : flavors.find(more.front().flavor), extra);
  }

 private:
  Queue queue(const std::string& name, const std::vector<Amount>& amounts) const {
    Queue row{.name = name, .parent = "cohort"};
    row.quota.emplace();
    for (const auto& one : amounts) {
      auto& quota = (*row.quota)[one.flavor][static_cast<std::size_t>(one.kind)];
      quota = Quota{.nominal = one.amount, .borrowing_limit = {}, .lending_limit = {}};
      for (const auto& own : kept)
        if (own.kind == one.kind) quota->lending_limit = 0;
    }
    return row;
  }
  static ResourceVector vector(const Amount& one) {
    ResourceVector amounts;
    amounts[one.kind] = one.amount;
    return amounts;
  }
};

Pair two_kinds() {
  return {.nominal = {{"default", kCpus, 2'000}, {"default", kShared, 5}},
          .lent = {{"default", kCpus, 8'000}, {"default", kShared, 5}}};
}

// The values are those of Kueue's own tests of its dominant resource share.
TEST(FairShare, AQueueThatBorrowsNothingHasNone) {
  auto pair = two_kinds();
  pair.used = {{"default", kCpus, 1'000}, {"default", kShared, 2}};
  EXPECT_EQ(pair.share().thousandths(), 0);
  EXPECT_FALSE(pair.share().borrows());
}

TEST(FairShare, TheLargestPartOfWhatCouldBeLentCounts) {
  auto pair = two_kinds();
  pair.used = {{"default", kCpus, 3'000}, {"default", kShared, 7}};
  EXPECT_EQ(pair.share().thousandths(), 200) << "(7 - 5) of 10";
  pair.used = {{"default", kCpus, 3'000}, {"default", kShared, 3}};
  EXPECT_EQ(pair.share().thousandths(), 100) << "(3 - 2) of 10";
}

TEST(FairShare, WhatIsAskedForCountsToo) {
  auto pair = two_kinds();
  pair.used = {{"default", kCpus, 1'000}, {"default", kShared, 2}};
  pair.more = {{"default", kCpus, 4'000}, {"default", kShared, 4}};
  EXPECT_EQ(pair.share().thousandths(), 300) << "(1 + 4 - 2) of 10";
}

TEST(FairShare, QuotaThatIsNotLentDoesNotCount) {
  const Pair pair{.nominal = {{"default", kCpus, 2'000}, {"default", kShared, 2'000}},
                  .lent = {{"default", kCpus, 8'000}, {"default", kShared, 64'000}},
                  .kept = {{"default", kShared, 0}},
                  .used = {{"default", kCpus, 1'000}, {"default", kShared, 1'000}},
                  .more = {{"default", kCpus, 4'000}, {"default", kShared, 4'000}}};
  EXPECT_EQ(pair.share().thousandths(), 300);
}

TEST(FairShare, FlavorsAreBorrowedOneByOneAndLentTogether) {
  const Pair pair{.nominal = {{"on-demand", kCpus, 20'000}, {"spot", kCpus, 80'000}},
                  .lent = {{"default", kCpus, 100'000}},
                  .used = {{"on-demand", kCpus, 15'000}, {"spot", kCpus, 5'000}},
                  .more = {{"on-demand", kCpus, 10'000}}};
  EXPECT_EQ(pair.share().thousandths(), 25) << "(15 + 10 - 20) of 200";
}

TEST(FairShare, IsDividedByTheWeight) {
  Pair pair{.nominal = {{"default", kShared, 5}}, .lent = {{"default", kShared, 5}}, .used = {{"default", kShared, 7}}};
  pair.weight_milli = 2'000;
  EXPECT_EQ(pair.share().thousandths(), 100);
  pair.weight_milli = 500;
  EXPECT_EQ(pair.share().thousandths(), 400);
  pair.weight_milli = 0;
  EXPECT_EQ(pair.share().nano, Share::kLast);
  pair.used = {{"default", kShared, 5}};
  EXPECT_EQ(pair.share().nano, 0) << "within its quota the weight says nothing";
}

TEST(FairShare, ALittleIsMoreThanNothing) {
  const Pair pair{.nominal = {{"default", ResourceKind::memory, 0}},
                  .lent = {{"default", ResourceKind::memory, std::int64_t{1} << 50}},
                  .used = {{"default", ResourceKind::memory, 1}}};
  EXPECT_TRUE(pair.share().borrows());
  EXPECT_EQ(pair.share().thousandths(), 0);
}

TEST(FairShare, ARootHasNone) {
  std::map<std::string, Queue> rows;
  rows["alone"] = Queue{.name = "alone"};
  rows["alone"].quota.emplace()["default"][static_cast<std::size_t>(kShared)] =
      Quota{.nominal = 1, .borrowing_limit = {}, .lending_limit = {}};
  Names<QueueIndex> names;
  Names<FlavorIndex> flavors;
  QuotaTree tree;
  tree.rebuild(rows, names, flavors);
  ResourceVector amounts;
  amounts[kShared] = 5;
  EXPECT_FALSE(share_with(tree, names.find("alone"), flavors.find("default"), amounts).borrows());
}

}  // namespace
}  // namespace ym::engine
