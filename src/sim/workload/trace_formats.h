// The formats in which workloads were recorded.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/workload/row_view.h"
#include "sim/workload/trace_job.h"

namespace ym::sim {

struct TraceFormat {
  std::string_view name;
  std::string_view what;                      // for people
  std::span<const std::string_view> columns;  // by which it is known: the header has all of them
  bool has_header = true;                     // without, these are its columns in their order
  // What is wrong is said by the row. Nothing: the row is none of a job (a step of one, a service).
  std::optional<TraceJob> (*read)(RowView& row);
};

// In the order in which they are tried.
std::span<const TraceFormat> trace_formats();
// Null if there is none of this name.
const TraceFormat* find_format(std::string_view name);
// By its first row; null if no format has these columns.
const TraceFormat* recognise(const TableReader::Row& first);

}  // namespace ym::sim
