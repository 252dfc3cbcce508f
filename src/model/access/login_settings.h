// Whose word counts for a token of this server: the keys `issuers` and `exchange` of `auth`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
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
  // How often it is asked whether a user still is there, by refresh tokens. 0: never.
  Duration revalidate{};
  // How long ago the provider may have asked the user to prove itself (`max_age`, `auth_time`). 0: it decides.
  Duration max_age{};
  // How it may have done so (`acr_values`, `acr`). Empty: it decides.
  std::vector<std::string> acr;
  // Before each handle and each group, so that two providers do not name the same.
  std::string handle_prefix, groups_prefix;
  std::string scim;  // handle of the service account that speaks for it by SCIM; empty: none does
  // Whether `externalId` of SCIM is the subject of its tokens. If not, a user is found by its name at its first login.
  bool external_id_is_subject = false;
};

// Providers take names of users for equal if only the case of their letters differs (RFC 7643, section 4.1.1).
bool same_login_name(std::string_view a, std::string_view b);

inline constexpr std::size_t kLongestGroup = 256;
// What bindings call a group of the issuer (groups_strip, groups_prefix). Empty: it does not count here.
std::string group_here(const Issuer& issuer, std::string_view group);

// Gives a service account's token for a token of another issuer, for example of CI. The first rule that fits counts.
struct ExchangeRule {
  std::string name;
  // Where its tokens come from; one of both. `issuer`: their `iss`. `kubernetes`: a cluster whose API server is asked
  // about each token: "here" (this server is a pod there), or the path of a kubeconfig.
  std::string issuer, kubernetes;
  std::string audience;  // one of its `aud`
  std::string ca_file;   // as Issuer::ca_file
  // What its claims must be, by name or JSON pointer. Each for equality. Of a Kubernetes token: `namespace`,
  // `serviceaccount`, `pod`.
  std::map<std::string, std::string> require;
  std::string service;  // handle of the service account
  Duration ttl = hours(1);
};

// Users of this machine, or of machines that share a key of MUNGE, log in by their accounts there.
struct AccountLogins {
  bool socket = false;       // by the server's Unix socket
  bool munge = false;        // by a credential of MUNGE
  std::string munge_socket;  // of the MUNGE daemon; empty: the usual one
  std::int64_t least_uid = 1000;
  std::string handle_prefix, groups_prefix;  // as those of Issuer
};

}  // namespace ym
