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

// What is exchanged for a token of the server (RFC 8693).
inline constexpr std::string_view kIdTokenType = "urn:ietf:params:oauth:token-type:id_token",
                                  kMungeType = "urn:yardmaster:token-type:munge",
                                  kAccountType = "urn:yardmaster:token-type:account";
// Exchanges a proof of a type for a token. `proof`: empty: the connection itself is the proof. Errors: as post_form,
// and those of the server.
Result<Secret> exchange_proof(Session& session, const Connection& server, std::string_view type, const Secret& proof);

// The token of a reply that succeeded. Otherwise what the reply says as an error.
Result<Secret> token_in(const OAuthReply& reply);

}  // namespace ym::cli
