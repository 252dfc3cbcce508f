// The formats in which workloads were recorded.
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

// What is wrong is said by the row. Nothing: the row is none of a job (a step of one, a service).
using RowReader = std::function<std::optional<TraceJob>(RowView& row)>;

// A column that a trace need not have.
struct MissedColumn {
  std::string_view name, other;  // either will do
  std::string_view without;      // "no job has GPUs"; empty: it is missed only where a slip for it is there
};

struct TraceFormat {
  std::string_view name;
  std::string_view what;                      // for people
  std::span<const std::string_view> columns;  // by which it is known: the header has all of them
  // Without, these are its columns in their order; in the last one stand numbers, which no header has, in the first
  // none.
  bool has_header = true;
  // For the rows of the trace at this path. A format that does not say how long jobs run reads the tables from which it
  // follows, which stand beside the trace; `invalid` where they are not there or wrong.
  Result<RowReader> (*rows)(const std::string& path);
  // Which it may have beside; empty: that is not looked at, artifacts have what they have.
  std::span<const std::string_view> others{};
  // An id that was there before is no mistake: the row is passed over.
  bool ids_may_come_again = false;
  std::span<const MissedColumn> missed{};
};

// In the order in which they are tried.
std::span<const TraceFormat> trace_formats();
// Null if there is none of this name.
const TraceFormat* find_format(std::string_view name);
// By its first row; null if no format has these columns.
const TraceFormat* recognise(const TableReader::Row& first);

}  // namespace ym::sim
