// The checksum of a row.
//
// It covers the table's name and all columns in the order of the schema. So a changed bit in a key, an indexed column
// or a document is found when the row is read. FNV-1a with 64 bits (Fowler, Noll, Vo): each step is a bijection of the
// state, so a change of one byte always changes the sum. It guards against accidents only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "store/rows/cells.h"

namespace ym::rows {

class RowSum {
 public:
  explicit RowSum(std::string_view table) { add(table); }

  void add(std::string_view text);
  void add(std::int64_t number);
  void add(std::nullopt_t);
  void add_cell(const Cell& cell);
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

}  // namespace ym::rows
