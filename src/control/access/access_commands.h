// The commands on access, as values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/secret.h"
#include "base/time.h"
#include "model/access/access_token.h"
#include "model/access/binding.h"
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
};
struct RevokeToken {
  std::string id;
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
};

// A token that a command made or revoked.
struct TokenReply {
  AccessToken token;
  std::optional<Secret> secret{};  // of a new token; it is not stored
};

}  // namespace ym
