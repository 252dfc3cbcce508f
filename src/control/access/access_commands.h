// The commands on access, as values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/secret.h"
#include "base/time.h"
#include "control/access/provision/member_change.h"
#include "model/access/access_token.h"
#include "model/access/binding.h"
#include "model/access/login_settings.h"
#include "model/access/principal.h"
#include "model/access/project.h"
#include "model/access/roles.h"

namespace ym {

// Makes a token of a principal. A request of an administrator also makes the principal, if there is none.
struct CreateToken {
  std::string principal;                // empty: the caller's own
  std::optional<PrincipalKind> kind{};  // of a principal that is made; of one that is there: a check
  // As AccessToken::scopes. Nothing: those of the caller's token, if it is for the caller; of others the mode's
  // default.
  std::optional<std::vector<std::string>> scopes{};
  std::optional<Duration> lifetime{};  // nothing: the longest that is allowed
  std::string note{};
  TokenKind token_kind = TokenKind::made;  // `login`: one more place where the caller is logged in
  // Only the principal itself, or a caller with all permissions at the site, makes it: the configuration file gives the
  // account more than bindings say (Issuer::scim).
  bool needs_everything = false;
};
struct RevokeToken {
  std::string id;
};

// The next ones are the server's own: it has checked what they say.
//
// Gives a token to a user that has logged in at its identity provider. The first time, it makes the principal.
struct LogIn {
  std::string issuer, subject;  // together the key of the principal
  std::string handle;           // of a principal that is made
  std::string display{}, email{};
  std::vector<std::string> groups{};  // all of them
  Duration groups_max_age{}, lifetime{};
  std::optional<Duration> idle_limit{};  // as AccessToken::idle_limit
  std::string note{};
  Instant issued_at{};         // when the provider said it
  std::string proof{};         // hash; it counts once; empty: the login itself was made for this
  bool takes_awaited = false;  // a name of the configuration file that waits is for users of this issuer
};
// Gives a token of a service account for a proof by others, for example a token of CI.
struct ExchangeProof {
  std::string service;  // its handle; the account is made if there is none
  std::string proof;    // hash; it counts once
  Duration lifetime{};
  std::string note{};
};
// Ends the logins of a principal up to a time, at which its identity provider said so. A message that comes again ends
// no later ones.
struct EndLogins {
  std::string issuer, subject;
  Instant before{};
};
// Ends the logins of users of all other issuers. Their groups count no more. Groups that these keep by SCIM are called
// as their settings say now; without `scim` they give nothing.
struct KeepIssuers {
  std::vector<Issuer> issuers;  // of accounts of machines, too: only `url` counts
};
// Removes tokens and bindings that expired before this time.
struct ForgetExpired {
  Instant before;
};
// Keeps when tokens were last used, by id.
struct NoteTokenUse {
  std::map<std::string, Instant> used;
};
// Makes a new token without limits of the principal, and revokes its others without limits. The principal gets the role
// admin of the site, if it does not have it for good.
struct RotateAdminToken {
  std::string principal;
  bool keeps_others = false;  // revokes none
};

// Makes or replaces a role of the site.
struct SetRole {
  Role role;
};
// Removes a role. Refused: a built-in one, and one that a binding gives.
struct RemoveRole {
  std::string role;
};

// Gives a role. Replaces the binding of the same role, grantee and scope.
struct BindRole {
  std::string role;
  std::string to;  // a principal's handle, or "group:NAME"
  Scope scope;
  std::optional<Duration> lifetime{};  // nothing: until it is taken away
};
struct UnbindRole {
  std::string binding;  // its id
};

// Makes a project, or changes what is named.
struct SetProject {
  std::string project;
  std::optional<std::string> description{};
  std::optional<Visibility> visibility{};
};
// Removes a project with the bindings at its scope. Refused while jobs of it have not ended.
struct RemoveProject {
  std::string project;
};

// Changes what is named of a principal.
struct ChangePrincipal {
  std::string principal;  // its handle
  std::optional<bool> disabled{};
  std::optional<std::vector<std::string>> groups{};  // that this server keeps
  // The user of an identity provider that it is. Both or none.
  std::optional<std::string> issuer{}, subject{};
};

// The next four are what a provider says by SCIM. `issuer` is its own: the route has checked that the caller speaks for
// it.
//
// Makes a user, takes over one that is there already, or changes what is named.
struct ProvisionUser {
  std::string issuer;
  std::string id{};                        // empty: a new one
  std::optional<std::string> user_name{};  // as Provisioned::user_name; of a new one needed
  std::optional<std::string> external_id{}, display{}, email{};
  std::optional<std::string> subject{};  // with which it will log in, if that is known
  std::optional<bool> active{};
  bool takes_awaited = false;           // as LogIn::takes_awaited
  std::vector<std::string> reserved{};  // handles of accounts of the server: no user of a provider is one
};
// The user never comes back: it stays disabled, and its tokens are revoked.
struct RemoveProvisionedUser {
  std::string issuer, id;
};
// Makes a group, or changes what is named.
struct ProvisionGroup {
  std::string issuer, id;
  bool is_new = false;
  std::optional<std::string> display{}, external_id{};
  std::optional<std::string> group{};  // as ProvisionedGroup::group
  MemberChange members{};
};
struct RemoveProvisionedGroup {
  std::string issuer, id;
};

// A token that a command made or revoked.
struct TokenReply {
  AccessToken token;
  std::optional<Secret> secret{};  // of a new token; it is not stored
};

}  // namespace ym
