// IndexedGrid<R, C, T>: elements by row and column. Rows have indices of the type R, and columns of the type C, so that
// the two cannot be swapped. It costs what a plain std::vector costs.
#pragma once

#include <cstddef>
#include <vector>

#include "base/strong_index.h"

namespace ym {

template <class R, class C, class T>
class IndexedGrid {
 public:
  constexpr IndexedGrid() = default;
  constexpr IndexedGrid(std::size_t rows, std::size_t columns) : columns_(columns), items_(rows * columns) {}

  // Precondition: there is such an element. libstdc++ checks it in part where its assertions are on.
  constexpr T& operator[](R row, C column) { return items_[at(row, column)]; }
  constexpr const T& operator[](R row, C column) const { return items_[at(row, column)]; }

  // Adds a row of new elements behind all others. Precondition: there are columns. Returns the row's index.
  constexpr R add_row() {
    const R row(items_.size() / columns_);
    items_.resize(items_.size() + columns_);
    return row;
  }

 private:
  constexpr std::size_t at(R row, C column) const { return std::size_t{row.value} * columns_ + column.value; }

  std::size_t columns_ = 0;
  std::vector<T> items_;  // row by row
};

}  // namespace ym
