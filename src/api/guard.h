// Guard: checks host names, origins and bearer tokens.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "api/http/message.h"
#include "api/http/options.h"
#include "base/result.h"
#include "base/secret.h"

namespace ym::api {

class Guard {
 public:
  explicit Guard(const HttpOptions& options);

  // A web page of another site can make a browser send requests to a server on loopback, by a host name that it
  // controls (DNS rebinding). So only requests for the server's own names get answers.
  bool knows_host(std::string_view host) const;

  // Whether a page of another site sent the request: its Origin is not this server.
  static bool is_cross_origin(const Request& request);

 private:
  bool any_host_ = false;  // bound to an address of a network, so its names are unknown
  std::set<std::string, std::less<>> hosts_;
};

// The token of "Authorization: Bearer ...". Errors: `unauthenticated`. No message contains the token.
Result<Secret> bearer_token(const Request& request);

}  // namespace ym::api
