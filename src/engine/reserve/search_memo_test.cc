#include "engine/reserve/search_memo.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

Booking booking(int slot, Minute from, const std::vector<int>& nodes) {
  Booking one{.slot = Slot{slot}, .nodes = {}, .from = from, .until = from + 10};
  for (const int node : nodes) one.nodes.push_back(NodeIndex{node});
  return one;
}

TEST(SearchMemo, KnowsWhatIsPromisedByItsOrderAndContent) {
  SearchMemo memo;
  EXPECT_EQ(memo.promised(), 0U);
  memo.add(booking(1, 5, {1, 2}));
  const auto first = memo.promised();
  memo.add(booking(2, 7, {3}));
  const auto both = memo.promised();
  EXPECT_NE(first, both);
  memo.clear();
  memo.add(booking(1, 5, {1, 2}));
  EXPECT_EQ(memo.promised(), first) << "the same";
  memo.add(booking(2, 7, {3}));
  EXPECT_EQ(memo.promised(), both);
  memo.clear();
  memo.add(booking(2, 7, {3}));
  EXPECT_NE(memo.promised(), both) << "without what was before it";
  memo.clear();
  memo.add(booking(1, 6, {1, 2}));
  EXPECT_NE(memo.promised(), first) << "later";
  memo.clear();
  memo.add(booking(1, 6, {1, 3}));
  EXPECT_NE(memo.promised(), first) << "elsewhere";
}

TEST(SearchMemo, FindsWhatRestsOnTheSame) {
  SearchMemo memo;
  const SearchMemo::Basis basis{
      .promised = 3, .touches = 9, .flavors = Flavors(FlavorIndex{0}), .length = 60, .not_before = 0, .pass = kNoPass};
  EXPECT_EQ(memo.find(Slot{1}, basis), nullptr);
  memo.note(Slot{1}, basis, booking(1, 5, {4}));
  ASSERT_NE(memo.find(Slot{1}, basis), nullptr);
  EXPECT_EQ((*memo.find(Slot{1}, basis))->from, 5);
  EXPECT_EQ(memo.find(Slot{2}, basis), nullptr);
  for (auto change :
       {+[](SearchMemo::Basis& other) { other.promised = 4; }, +[](SearchMemo::Basis& other) { other.touches = 10; },
        +[](SearchMemo::Basis& other) { other.flavors = Flavors(FlavorIndex{1}); },
        +[](SearchMemo::Basis& other) { other.length = 61; }, +[](SearchMemo::Basis& other) { other.not_before = 1; },
        +[](SearchMemo::Basis& other) { other.pass = Pass{1}; }}) {
    SearchMemo::Basis other = basis;
    change(other);
    EXPECT_EQ(memo.find(Slot{1}, other), nullptr);
  }
  memo.note(Slot{1}, basis, std::nullopt);
  EXPECT_FALSE(memo.find(Slot{1}, basis)->has_value()) << "there is none";
}

}  // namespace
}  // namespace ym::engine
