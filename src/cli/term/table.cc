#include "cli/term/table.h"

#include <algorithm>

#include "cli/term/text.h"

namespace ym::cli {

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (auto& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

void Table::print(std::ostream& out, std::size_t width) const {
  std::vector<std::string> titles;
  for (const auto& column : columns_) titles.push_back(column.title);
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(display_width(titles[i]));
    for (const auto& row : rows_) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  const auto print_row = [&](const std::vector<std::string>& row) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      line += columns_[i].align == Align::right ? padding + row[i] : row[i] + padding;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << shortened(line, width) << '\n';
  };
  print_row(titles);
  for (const auto& row : rows_) print_row(row);
}

}  // namespace ym::cli
