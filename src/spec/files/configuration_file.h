// Reads the configuration file, and files that it refers to.
#pragma once

#include <string>
#include <string_view>

#include "spec/documents.h"

namespace ym {

// Errors: `invalid` names the file. `what`: the kind of file, for errors.
Result<std::string> read_text(const std::string& path, std::string_view what);

// Without a path: an empty configuration. Refuses an empty file.
Result<Configuration> load_configuration(const std::string& path);
// The same, while another configuration is in force. Also refuses a file that may be cut off: its last line must end
// with a line break.
Result<Configuration> reload_configuration(const std::string& path);

// Reads queues and settings of the scheduler (`ym policy`).
Result<PolicyDocument> load_policy(const std::string& path);

}  // namespace ym
