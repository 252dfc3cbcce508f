// The files by which a running server is found and used: server.json, the port file,
// the admin's token, the key of the jobs' tokens.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "base/secret.h"

namespace ym {

// Replaces `path` by temp file, fsync and rename: readers see all of it or the old one.
Result<void> write_file(const std::filesystem::path& path, const std::string& content, unsigned mode);

// DIR/server.json: {"url", "pid", "version"}; its presence says that the server is ready.
Result<void> write_server_json(const std::filesystem::path& dir, const std::string& url);

// The key in DIR/job-token.key (0600), made where there is none. Errors: `corrupt` if it is
// none; `io`.
Result<Secret> job_token_key(const std::filesystem::path& dir);

// "user" of the passwd database, else the number of the effective user.
std::string current_user();

}  // namespace ym
