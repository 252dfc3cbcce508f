// Cancels many jobs. The server commits each request as a whole.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "cli/api.h"
#include "cli/session.h"

namespace ym::cli {

// The bodies of as few requests as possible.
std::vector<std::string> cancel_requests(const std::vector<std::string>& ids);

// Sends one of the requests. Reports the refused jobs; `code` becomes the worst exit code. Returns the answer, which
// lists the cancelled jobs.
Result<boost::json::value> cancel_many(Session& session, Api& api, const std::string& request, int& code);

}  // namespace ym::cli
