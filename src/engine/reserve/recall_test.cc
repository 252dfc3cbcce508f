#include "engine/reserve/recall.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

Booking booking(int slot, Minute from, const std::vector<int>& nodes) {
  Booking one{.slot = Slot{slot}, .nodes = {}, .from = from, .until = from + 10};
  for (const int node : nodes) one.nodes.push_back(NodeIndex{node});
  return one;
}

TEST(Recall, KnowsWhatIsPromisedByItsOrderAndContent) {
  Recall recall;
  EXPECT_EQ(recall.promised(), 0U);
  recall.add(booking(1, 5, {1, 2}));
  const auto first = recall.promised();
  recall.add(booking(2, 7, {3}));
  const auto both = recall.promised();
  EXPECT_NE(first, both);
  recall.clear();
  recall.add(booking(1, 5, {1, 2}));
  EXPECT_EQ(recall.promised(), first) << "the same";
  recall.add(booking(2, 7, {3}));
  EXPECT_EQ(recall.promised(), both);
  recall.clear();
  recall.add(booking(2, 7, {3}));
  EXPECT_NE(recall.promised(), both) << "without what was before it";
  recall.clear();
  recall.add(booking(1, 6, {1, 2}));
  EXPECT_NE(recall.promised(), first) << "later";
  recall.clear();
  recall.add(booking(1, 6, {1, 3}));
  EXPECT_NE(recall.promised(), first) << "elsewhere";
}

TEST(Recall, FindsWhatRestsOnTheSame) {
  Recall recall;
  const Recall::Basis basis{
      .promised = 3, .touches = 9, .flavors = Flavors(FlavorIndex{0}), .length = 60, .not_before = 0, .pass = 0};
  EXPECT_EQ(recall.find(Slot{1}, basis), nullptr);
  recall.note(Slot{1}, basis, booking(1, 5, {4}));
  ASSERT_NE(recall.find(Slot{1}, basis), nullptr);
  EXPECT_EQ((*recall.find(Slot{1}, basis))->from, 5);
  EXPECT_EQ(recall.find(Slot{2}, basis), nullptr);
  for (auto change :
       {+[](Recall::Basis& other) { other.promised = 4; }, +[](Recall::Basis& other) { other.touches = 10; },
        +[](Recall::Basis& other) { other.flavors = Flavors(FlavorIndex{1}); },
        +[](Recall::Basis& other) { other.length = 61; }, +[](Recall::Basis& other) { other.not_before = 1; },
        +[](Recall::Basis& other) { other.pass = 1; }}) {
    Recall::Basis other = basis;
    change(other);
    EXPECT_EQ(recall.find(Slot{1}, other), nullptr);
  }
  recall.note(Slot{1}, basis, std::nullopt);
  EXPECT_FALSE(recall.find(Slot{1}, basis)->has_value()) << "there is none";
}

}  // namespace
}  // namespace ym::engine
