// A file that is given to a verb, and what is wrong with it: named, and as what it is.
#pragma once

#include <string>

#include "cli/session.h"

namespace ym::cli {

// A file's content, or standard input for "-"; at most 1 MiB. Errors: `invalid`, which name the file: it is not there,
// a folder, empty, too long, or no text at all.
Result<std::string> read_text_file(Session& session, const std::string& path);

// Reports an error about what stands in that file: each mistake, once, with the file.
int report_in_file(Session& session, const std::string& path, const Error& error);

}  // namespace ym::cli
