// Tables that are published beside a trace and complete its rows.
#pragma once

#include <string>

#include "base/result.h"

namespace ym::sim {

// The file `name`, plain or with ".gz", in the parent of the trace's folder: artifacts keep their traces in a folder of
// their own. Errors: `invalid`: there is none; the message names the file and that run times follow from it.
Result<std::string> table_beside(const std::string& trace, const std::string& name);

// The content of a file, plain or gzip, at most 16 MiB. Errors: `invalid`: it cannot be read or is larger.
Result<std::string> read_text(const std::string& path);

}  // namespace ym::sim
