// AuthSettings: the section `auth` of the configuration file. With it, bindings decide who may do what.
#pragma once

#include <string>
#include <vector>

#include "model/access/login_settings.h"
#include "model/access/project.h"
#include "model/access/scope.h"

namespace ym {

// A binding as the file writes it.
struct RoleGiven {
  std::string role;
  std::string to;  // the handle of a principal, or "group:NAME"
  Scope scope;
  bool operator==(const RoleGiven&) const = default;
};

struct AuthSettings {
  // False: each principal may still do everything, and what bindings would refuse is only noted (`ym auth audit`).
  bool enforce = true;
  // Whether the server's own user has an administrator's token in the file admin.token.
  bool admin_token = true;
  std::vector<Project> projects;
  std::vector<RoleGiven> bindings;
  std::vector<Issuer> issuers;
  std::vector<ExchangeRule> exchange;
  AccountLogins accounts;
  Duration login_ttl = hours(12);           // of a login's token
  Duration login_idle = hours(8);           // how long it may be unused
  Duration groups_max_age = hours(7 * 24);  // how long the groups of the last login count
};

}  // namespace ym
