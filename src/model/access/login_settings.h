// Whose word counts for a token of this server: the keys `issuers` and `exchange` of `auth`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/time.h"

namespace ym {

// An OpenID provider where people log in.
struct Issuer {
  std::string name;                // what this server calls it
  std::string url;                 // the `iss` of its tokens
  std::string client_id;           // this server's name at the provider
  std::string client_secret_file;  // empty: this server has no secret there
  std::string ca_file;             // authorities of its certificate, in PEM; empty: the system's
  std::vector<std::string> scopes{"openid", "profile", "email"};
  // JSON pointers to claims of the ID token.
  std::string handle = "/preferred_username", groups = "/groups";
  std::string groups_strip;  // what each group must begin with to count; it is left out
  // Before each handle and each group, so that two providers do not name the same.
  std::string handle_prefix, groups_prefix;
};

// Gives a service account's token for a token of another issuer, for example of CI. The first rule that fits counts.
struct ExchangeRule {
  std::string name;
  std::string issuer;    // the `iss` of its tokens
  std::string audience;  // one of its `aud`
  std::string ca_file;   // as Issuer::ca_file
  // What its claims must be, by name or JSON pointer. Each for equality.
  std::map<std::string, std::string> require;
  std::string service;  // handle of the service account
  Duration ttl = hours(1);
};

}  // namespace ym
