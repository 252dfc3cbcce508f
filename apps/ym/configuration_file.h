// The configuration file, and what stands in files beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "spec/documents.h"

namespace ym {

// Errors: `invalid`, which name the file (`what`: what it was read as).
Result<std::string> read_text(const std::string& path, std::string_view what);

// No path: an empty configuration. A file that says nothing is refused.
Result<Configuration> load_configuration(const std::string& path);
// The same while another one is in force, which is no reason to take one that may be cut off: the last line must end.
Result<Configuration> reload_configuration(const std::string& path);

// Queues and settings of the scheduler (`ym policy`).
Result<PolicyDocument> load_policy(const std::string& path);

// Warnings of a document, on standard error. The server logs them instead.
void say_warnings(const std::string& path, const std::vector<std::string>& warnings);

}  // namespace ym
