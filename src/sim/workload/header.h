// The first row of a trace: the format of its columns, and remarks on them.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sim/workload/row_view.h"
#include "sim/workload/table_reader.h"
#include "sim/workload/trace_formats.h"

namespace ym::sim {

// The format `named`, or, if that is empty, the one with these columns. Errors: `invalid`: there is none; the message
// guesses which columns were meant.
Result<const TraceFormat*> format_of(const std::string& path, const std::string& named, const TableReader::Row& first);

// The index of each column of the format.
Columns columns_of(const TraceFormat& format, const TableReader::Row& first);

// A sentence for each column that is not read, and for each that the format misses; with a guess of what was meant.
std::vector<std::string> remarks_on_columns(const TraceFormat& format, const TableReader::Row& first);

}  // namespace ym::sim
