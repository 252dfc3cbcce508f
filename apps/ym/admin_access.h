// How the server's own user gets an administrator's token: by the file admin.token, and by `ym admin recover`.
#pragma once

#include <filesystem>
#include <string>

#include "base/secret.h"
#include "control/serve/server.h"

namespace ym {

// With `wanted`: DIR/admin.token has the token of an administrator afterwards. A deleted file asks for this: its token
// is revoked. If other servers share the state (`is_alone` false), each has its own file, and nothing is revoked.
// Without `wanted`: there is no such file afterwards, and its token is revoked.
Result<void> provide_admin_token(ControlServer& control, const std::filesystem::path& dir, bool wanted, bool is_alone);

// The administrator has rotated its token: the file, if there is one, gets the new one.
void keep_admin_token(const std::filesystem::path& dir, const std::string& principal, const Secret& token);

// Answers `ym admin recover`, if it asks: DIR/recover.request has the reason, and DIR/recover.token gets a token that
// is an administrator's for an hour. A user that can write there owns the state anyway.
void answer_recovery(ControlServer& control, const std::filesystem::path& dir);

}  // namespace ym
