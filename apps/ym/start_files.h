// Files that a running server writes for its users: server.json, the port file, the administrator's token, and the
// key of the jobs' tokens.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "cli/options/serve_options.h"

namespace ym {

// Replaces `path` by temp file, fsync and rename: readers see the old content or the new one, never a part.
Result<void> write_file(const std::filesystem::path& path, const std::string& content, unsigned mode);

// DIR/server.json: {"url", "pid", "version"}, and with TLS the certificate's "fingerprint". It exists while the server
// is ready.
Result<void> write_server_json(const std::filesystem::path& dir, const std::string& url,
                               const std::string& fingerprint);

// The key in DIR/job-token.key (0600). Creates it if it is missing. Errors: `corrupt` if the file does not hold a
// key; `io`.
Result<Secret> job_token_key(const std::filesystem::path& dir);

// The folder of segments of the history.
std::filesystem::path history_folder(const ServeOptions& options);

// The user's name in the passwd database, otherwise the number of the effective user.
std::string current_user();

}  // namespace ym
