#include "base/strong_grid.h"

#include <gtest/gtest.h>

#include <concepts>

namespace ym {
namespace {

using Row = StrongIndex<struct RowTag>;
using Column = StrongIndex<struct ColumnTag>;
using Grid = IndexedGrid<Row, Column, int>;

TEST(IndexedGrid, TellsRowsFromColumns) {
  constexpr auto kAsk = [](auto& grid, auto row, auto column) -> decltype(grid[row, column]) {
    return grid[row, column];
  };
  static_assert(std::invocable<decltype(kAsk), Grid&, Row, Column>);
  static_assert(!std::invocable<decltype(kAsk), Grid&, Column, Row>);
  static_assert(!std::invocable<decltype(kAsk), Grid&, unsigned, unsigned>);
}

TEST(IndexedGrid, HasAnElementForEachRowAndColumn) {
  Grid grid(2, 3);
  for (const Row row : indices<Row>(2))
    for (const Column column : indices<Column>(3)) {
      EXPECT_EQ((grid[row, column]), 0);
      grid[row, column] = static_cast<int>(10 * row.value + column.value);
    }
  const Grid& filled = grid;
  for (const Row row : indices<Row>(2))
    for (const Column column : indices<Column>(3))
      EXPECT_EQ((filled[row, column]), static_cast<int>(10 * row.value + column.value));
}

TEST(IndexedGrid, GrowsByRows) {
  Grid grid(0, 2);
  EXPECT_EQ(grid.add_row(), Row{0});
  grid[Row{0}, Column{1}] = 7;
  EXPECT_EQ(grid.add_row(), Row{1});
  EXPECT_EQ((grid[Row{0}, Column{1}]), 7);
  EXPECT_EQ((grid[Row{1}, Column{0}]), 0);
}

}  // namespace
}  // namespace ym
