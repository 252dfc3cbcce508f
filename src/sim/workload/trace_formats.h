// The formats of recorded workloads.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sim/workload/row_view.h"
#include "sim/workload/trace_job.h"

namespace ym::sim {

// Errors are in the row. Nothing: the row is not a job (a step of one, a service).
using RowReader = std::function<std::optional<TraceJob>(RowView& row)>;

// A column that a trace may lack.
struct MissedColumn {
  std::string_view name, other;  // one of them is enough
  std::string_view without;      // "no job has GPUs"; empty: only reported if a field may be a typo of it
};

struct TraceFormat {
  std::string_view name;
  std::string_view what;                      // for users
  std::span<const std::string_view> columns;  // required columns; the header of this format has all of them
  // False: `columns` are its columns in order. The last one contains numbers, which no header does; the first one
  // contains none.
  bool has_header = true;
  // Makes a reader for the rows of the trace at this path. A format without run times reads the tables beside the
  // trace; `invalid` if they are missing or wrong.
  Result<RowReader> (*rows)(const std::string& path);
  // Optional columns. Empty: not checked, because artifacts have various columns.
  std::span<const std::string_view> others{};
  // A repeated id is not an error: the row is skipped.
  bool ids_may_come_again = false;
  std::span<const MissedColumn> missed{};
};

// In the order in which they are tried.
std::span<const TraceFormat> trace_formats();
// Null: there is no format of this name.
const TraceFormat* find_format(std::string_view name);
// Recognises the format by the first row; null if no format has these columns.
const TraceFormat* recognise(const TableReader::Row& first);

}  // namespace ym::sim
