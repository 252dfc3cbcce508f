// Table: aligned columns.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace ym::cli {

class Table {
 public:
  enum class Align : std::uint8_t { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // Makes cells printable. Missing cells are empty.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  // Cuts lines to `width` columns; 0: no limit.
  void print(std::ostream& out, std::size_t width = 0) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ym::cli
