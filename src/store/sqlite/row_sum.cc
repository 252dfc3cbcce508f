#include "store/sqlite/row_sum.h"

#include <fmt/format.h>

namespace ym::sqlite {

Result<void> check_row(const Query& query, std::string_view table) {
  RowSum sum(table);
  const int last = query.columns() - 1;
  for (int column = 0; column < last; ++column) {
    switch (query.type(column)) {
      case SQLITE_INTEGER: sum.add(query.integer(column)); break;
      case SQLITE_NULL: sum.add(std::nullopt); break;
      default: sum.add(query.text(column));
    }
  }
  if (query.type(last) == SQLITE_INTEGER && query.integer(last) == sum.value()) return {};
  const auto key =
      query.type(0) == SQLITE_INTEGER ? std::to_string(query.integer(0)) : fmt::format("'{}'", query.text(0));
  return std::unexpected(
      damaged(query.database().file(), fmt::format("row {} of table {} does not match its checksum", key, table)));
}

}  // namespace ym::sqlite
