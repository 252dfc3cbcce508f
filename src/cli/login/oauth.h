// Requests to the endpoints of OAuth.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cli/session.h"

namespace ym::cli {

struct OAuthReply {
  boost::json::value body;
  std::string error;  // its code, for example "authorization_pending"; empty: it succeeded
  std::string description;
};

inline constexpr std::string_view kDeviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

// Errors: `unavailable`; what the server says in another form than OAuth's.
Result<OAuthReply> post_form(Session& session, const Connection& server, const std::string& target,
                             const std::vector<std::pair<std::string, std::string>>& fields);

// The token of a reply that succeeded. Otherwise what the reply says as an error.
Result<Secret> token_in(const OAuthReply& reply);

}  // namespace ym::cli
