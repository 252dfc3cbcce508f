// Reads the rows of a table with a header, by the names of its columns.
#pragma once

#include <string>

#include "base/result.h"
#include "sim/workload/row_view.h"
#include "sim/workload/table_reader.h"

namespace ym::sim {

// Calls `take` with the RowView of each row. If it refuses a field, that is the error. Of columns with the same name,
// the first one counts.
template <class Take>
Result<void> for_each_row(const std::string& path, Take take) {
  auto reader = TableReader::open(path);
  if (!reader) return std::unexpected(reader.error());
  Columns columns;
  for (bool header = true;; header = false) {
    auto row = reader->next();
    if (!row) return std::unexpected(row.error());
    if (!*row) return {};
    if (header) {
      for (std::size_t i = 0; i < (*row)->fields.size(); ++i) columns.try_emplace((*row)->fields[i], i);
      continue;
    }
    RowView view(columns, **row, path);
    take(view);
    if (view.error()) return std::unexpected(*view.error());
  }
}

}  // namespace ym::sim
