// The ways to get a token of a server. Each talks to the user on standard error.
#pragma once

#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "cli/session.h"

namespace ym::cli {

// The user types a code in any browser. Errors: `unavailable`; `forbidden`: the user denied it; `invalid`: the server
// has no provider to log in at, or the code has expired.
Result<Secret> log_in_by_code(Session& session, const Connection& server);

// By the browser of this machine. Errors: the same; `io`: no port can be listened on.
Result<Secret> log_in_by_browser(Session& session, const Connection& server);

// By the identity token of the CI job that runs this. `audience`: empty: the server's URL. Errors: `invalid`: it is no
// such job; those of the server.
Result<Secret> log_in_by_ci(Session& session, const Connection& server, const std::string& audience);

// By the identity token in a file, for example of a Kubernetes service account. Errors: `io`; those of the server.
Result<Secret> log_in_by_file(Session& session, const Connection& server, const std::string& file);

// By the user's account on this machine. Precondition: the connection is a Unix socket. Errors: those of the server.
Result<Secret> log_in_by_account(Session& session, const Connection& server);

// By MUNGE. `audience`: the URL that the server has for itself; empty: that of the connection. `socket`: of MUNGE's
// daemon; empty: the usual one. Errors: `unavailable`: there is no daemon; those of the server.
struct MungeOptions {
  std::string audience, socket;
};
Result<Secret> log_in_by_munge(Session& session, const Connection& server, const MungeOptions& options);

}  // namespace ym::cli
