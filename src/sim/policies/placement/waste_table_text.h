// A learned table as the file that `scheduling.waste_table` names (spec/documents.h, parse_waste_table).
#pragma once

#include <string>

#include "model/waste_table.h"

namespace ym::sim::placement {

// JSON, a row a line. Types of GPUs in lower case, as the engine compares them.
// Precondition: rows within the bounds of the table; the usual memory in whole MiB.
std::string waste_table_text(const WasteTable::Content& content);

}  // namespace ym::sim::placement
