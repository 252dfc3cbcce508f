// Helpers that the routes of logins share.
#pragma once

#include <string>

#include "api/routes/command.h"
#include "control/access/access_commands.h"
#include "login/desk.h"

namespace ym::api {

// The server itself, on behalf of a request: it has checked the proof in it.
Caller server_for(const Caller& asker);

// Records a login that was refused, unless it only could not be decided now. Without a token nothing is known of the
// caller but where it asked from.
void record_failed_login(Context& context, const Asker& asker, const Error& error);

// Whether this address may try again; each failure counts (record_failed_login).
bool may_try(Context& context, const Asker& asker);

// Counts as a failure does: a proof that may come again must not make tokens without end.
void charge_login(Context& context, const Asker& asker);

// An error as OAuth has it (RFC 6749, section 5.2).
Response oauth_error(const Error& error);
Response oauth_error(int status, std::string_view code, std::string_view description);

// A new token as OAuth has it.
Response token_response(const Asker& asker, const TokenReply& made);

// The command by which a user that has proved itself gets a token.
LogIn login_of(login::LoggedIn login, const login::Settings& settings, std::string note);

// The session in the request's cookie.
struct BrowserSession {
  Caller caller;
  Instant since;  // of its login
};
// Errors: `unauthenticated`.
Result<BrowserSession> session_of(const Call& call);

// The path to go to after a login: one of this server, or "/".
std::string local_path(std::string_view wanted);

}  // namespace ym::api
