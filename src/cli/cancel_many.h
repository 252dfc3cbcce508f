// Cancels of many jobs, which the server takes in one commit.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "cli/api.h"
#include "cli/session.h"

namespace ym::cli {

// As few requests as it takes: their contents.
std::vector<std::string> cancel_requests(const std::vector<std::string>& ids);

// Sends one of them. Jobs that are refused are reported, and `code` becomes the worst of them; the answer has the
// others.
Result<boost::json::value> cancel_many(Session& session, Api& api, const std::string& request, int& code);

}  // namespace ym::cli
