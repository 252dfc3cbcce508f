// The tables that are published beside a trace and say what its rows do not.
#pragma once

#include <string>

#include "base/result.h"

namespace ym::sim {

// The file `name`, as it is or with ".gz", in the folder above the folder of the trace: the artifacts keep the traces
// in a folder of their own. `invalid` if there is none, names the file and whose run times follow from it.
Result<std::string> table_beside(const std::string& trace, const std::string& name);

// A whole file, plain or gzip, of at most 16 MiB. `invalid` if it cannot be read or is larger.
Result<std::string> read_text(const std::string& path);

}  // namespace ym::sim
