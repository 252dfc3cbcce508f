// The first row of a trace: which format its columns are of, and what is to be said of them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sim/workload/row_view.h"
#include "sim/workload/table_reader.h"
#include "sim/workload/trace_formats.h"

namespace ym::sim {

// The format `named`, or, where that is empty, the one whose columns these are. `invalid` where it is none, with the
// columns that were probably meant.
Result<const TraceFormat*> format_of(const std::string& path, const std::string& named, const TableReader::Row& first);

// Where each column of the format stands.
Columns columns_of(const TraceFormat& format, const TableReader::Row& first);

// A sentence for each column that nobody reads, though it may be meant for one, and for each that is missed.
std::vector<std::string> remarks_on_columns(const TraceFormat& format, const TableReader::Row& first);

}  // namespace ym::sim
