// The checksum that every row carries in its last column, `sum`.
//
// It covers the table's name and all other columns in the order of the schema, so
// that a changed bit in a key, an indexed column or a document is found on reading.
// FNV-1a with 64 bits (Fowler, Noll, Vo): each step is a bijection of the state, so a
// change of any one byte always changes the sum. It guards against accidents only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/sqlite/database.h"

namespace ym::sqlite {

class RowSum {
 public:
  explicit RowSum(std::string_view table) { add(table); }

  void add(std::string_view text);
  void add(std::int64_t number);
  void add(std::nullopt_t);
  template <class T>
  void add(const std::optional<T>& value) {
    if (value) add(*value);
    else add(std::nullopt);
  }

  std::int64_t value() const { return static_cast<std::int64_t>(state_); }

 private:
  void bytes(std::string_view data);
  std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

// Binds all columns of a row of `table`, then its sum.
template <class... Column>
void bind_row(Query& query, std::string_view table, const Column&... columns) {
  RowSum sum(table);
  int index = 0;
  ((query.bind(++index, columns), sum.add(columns)), ...);
  query.bind(++index, sum.value());
}

// Precondition: the query stands on a row with all columns of `table`, `sum` last.
// Errors: `corrupt`.
Result<void> check_row(const Query& query, std::string_view table);

}  // namespace ym::sqlite
