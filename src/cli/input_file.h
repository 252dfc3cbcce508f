// A file that a verb reads. Errors name the file, and say what kind of file it is if it is not YAML or JSON.
#pragma once

#include <string>

#include "cli/session.h"

namespace ym::cli {

// The content of a file, or of standard input for "-"; at most 1 MiB. Errors: `invalid` names the file, which is
// missing, a folder, empty, too long, or not text.
Result<std::string> read_text_file(Session& session, const std::string& path);

// Reports an error in the content of that file: each mistake once, with the file's name.
int report_in_file(Session& session, const std::string& path, const Error& error);

}  // namespace ym::cli
