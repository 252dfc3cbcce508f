// The rows of a table with a header, by the names of its columns.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "sim/workload/row_view.h"
#include "sim/workload/table_reader.h"

namespace ym::sim::placement {

// Calls `take` with each row; what it refuses is the error. Columns of the same name: the first counts.
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

// Of a list of pods, as in "openb_pod_list_default.csv.gz": "default".
std::string list_name(std::string_view file);

}  // namespace ym::sim::placement
