// The checksum in the last column of every row, `sum` (store/rows/row_sum.h).
#pragma once

#include "store/rows/row_sum.h"
#include "store/sqlite/database.h"

namespace ym::sqlite {

using rows::RowSum;

// Binds all columns of a row of `table`, then its checksum.
template <class... Column>
void bind_row(Query& query, std::string_view table, const Column&... columns) {
  RowSum sum(table);
  int index = 0;
  ((query.bind(++index, columns), sum.add(columns)), ...);
  query.bind(++index, sum.value());
}

template <std::size_t N>
void bind_row(Query& query, std::string_view table, const std::array<rows::Cell, N>& cells) {
  RowSum sum(table);
  int index = 0;
  for (const auto& cell : cells) {
    query.bind_cell(++index, cell);
    sum.add_cell(cell);
  }
  query.bind(++index, sum.value());
}

// Precondition: the query is at a row with all columns of `table`, `sum` last. Errors: `corrupt`.
Result<void> check_row(const Query& query, std::string_view table);

}  // namespace ym::sqlite
