// Guard: who may come in at all. Host names, origins, bearer tokens.
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

  // A web page of a stranger can make a browser send requests to a server on loopback
  // by a name that it controls (DNS rebinding); only names that are ours get answers.
  bool knows_host(std::string_view host) const;

  // Whether a page of another site sent this (then it carries an Origin that is not us).
  static bool is_cross_origin(const Request& request);

 private:
  bool any_host_ = false;  // bound to an address of a network: its names are not known
  std::set<std::string, std::less<>> hosts_;
};

// The token of "Authorization: Bearer ...". Errors: `unauthenticated`. The token
// itself is in no message.
Result<Secret> bearer_token(const Request& request);

}  // namespace ym::api
