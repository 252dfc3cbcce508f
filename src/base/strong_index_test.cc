#include "base/strong_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace ym {
namespace {

using Row = StrongIndex<struct RowTag>;
using Column = StrongIndex<struct ColumnTag>;
constexpr NoIndex kNone;

TEST(StrongIndex, IsNoOtherType) {
  static_assert(!std::convertible_to<Row, Column> && !std::constructible_from<Row, Column>);
  static_assert(!std::convertible_to<unsigned, Row> && std::constructible_from<Row, unsigned>);
  static_assert(!std::convertible_to<Row, unsigned> && !std::equality_comparable_with<Row, Column>);
  static_assert(!std::invocable<decltype([](IndexedVector<Row, int>& rows, auto at) -> decltype(rows[at]) {}),
                                IndexedVector<Row, int>&, Column>);
}

TEST(StrongIndex, CostsWhatANumberCosts) {
  static_assert(sizeof(Row) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<Row>);
}

TEST(StrongIndex, IsNoneAtFirst) {
  EXPECT_EQ(Row{}, kNone);
  EXPECT_NE(Row{0}, kNone);
  EXPECT_EQ(Row{}.value, ~0U);
  EXPECT_LT(Row{7}, Row{});
}

TEST(StrongIndex, Counts) {
  Row row{3};
  EXPECT_EQ(++row, Row{4});
  EXPECT_EQ(row++, Row{4});
  EXPECT_EQ(row + 2, Row{7});
  EXPECT_EQ(row - 2, Row{3});
  EXPECT_EQ(Row{7} - row, 2U);
}

TEST(StrongIndex, Hashes) {
  const std::unordered_set<Row> rows{Row{1}, Row{2}, Row{1}};
  EXPECT_EQ(rows.size(), 2U);
}

TEST(StrongIndex, RangeHasEachIndexOnce) {
  std::vector<Row> rows;
  for (const Row row : indices<Row>(3)) rows.push_back(row);
  EXPECT_EQ(rows, (std::vector{Row{0}, Row{1}, Row{2}}));
  EXPECT_TRUE(std::ranges::none_of(indices<Row>(0), [](Row) { return true; }));
}

TEST(IndexedVector, GivesIndicesAndTakesThem) {
  IndexedVector<Row, std::string> rows;
  EXPECT_EQ(rows.push_back("a"), Row{0});
  EXPECT_EQ(rows.emplace_back("b"), Row{1});
  EXPECT_EQ(rows[Row{1}], "b");
  EXPECT_EQ(rows.end_index(), Row{2});
  EXPECT_TRUE(rows.has(Row{1}));
  EXPECT_FALSE(rows.has(Row{2}));
  EXPECT_FALSE(rows.has(kNone));
  rows.grow_to(Row{3}, "c");
  rows.grow_to(Row{0}, "d");
  EXPECT_EQ(rows.back(), "c");
  EXPECT_EQ(rows.size(), 4U);
}

TEST(IndexedSpan, ShowsAnIndexedVector) {
  static_assert(!std::convertible_to<IndexedVector<Column, int>&, IndexedSpan<Row, int>>);
  IndexedVector<Row, std::string> rows;
  rows.push_back("a");
  rows.push_back("b");
  const IndexedSpan<Row, std::string> shown = rows;
  EXPECT_EQ(&shown[Row{1}], &rows[Row{1}]);
  EXPECT_EQ(shown.index_of(rows[Row{1}]), Row{1});
  EXPECT_TRUE(std::ranges::equal(shown, rows));
  EXPECT_TRUE(std::ranges::equal(shown.indices(), rows.indices()));
  EXPECT_EQ(shown.size(), 2U);
  EXPECT_TRUE((IndexedSpan<Row, std::string>().empty()));
  EXPECT_EQ((IndexedSpan<Row, std::string>(rows.raw())[Row{1}]), "b");
}

TEST(IndexedVector, HoldsBits) {
  IndexedVector<Row, bool> rows(2);
  rows[Row{1}] = true;
  for (const Row row : rows.indices()) EXPECT_EQ(rows[row], row == Row{1});
}

}  // namespace
}  // namespace ym
