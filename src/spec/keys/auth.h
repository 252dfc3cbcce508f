// The keys of `auth`: who may do what. What is stored of it does not follow from these tables.
#pragma once

#include "model/access/auth_settings.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"

namespace ym::keys {

template <>
struct Keys<Project> {
  using R = Project;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"Unique.", "vision"}, Traits{.required = "give the project a name"}},
      Key{"description", &R::description, Text{200}, About{"What it is for.", "\"self-driving\""}},
      Key{"visibility", &R::visibility, OneOf<Visibility>{},
          About{"What users of the same queue see of its jobs. `private`: nothing. `queue`: id, owner, queue, "
                "priority, state, resources and times. `full`: everything but logs.",
                "private"}},
  };
};

template <>
struct Keys<RoleGiven> {
  using R = RoleGiven;
  static constexpr std::tuple list{
      Key{"role", &R::role, Name{}, About{"A built-in role, or one of `ym role create`.", "member"},
          Traits{.required = "write the role, for example member"}},
      Key{"to", &R::to, GranteeText{},
          About{"Who gets it: a principal, or `group:` and the name of a group. A principal that is not there yet is "
                "made.",
                "group:vision"},
          Traits{.required = "write who gets the role: a name, or group:NAME"}},
      Key{"scope", &R::scope, ScopeText{},
          About{"Where: `site`, `project:P`, `queue:Q` or `cluster:C`.", "project:vision"},
          Traits{.required = "write where: site, project:NAME, queue:NAME or cluster:NAME"}},
  };
};

template <>
struct Keys<AuthSettings> {
  using R = AuthSettings;
  static constexpr std::tuple list{
      Key{"enforce", &R::enforce, Flag{},
          About{"`false`: each token still opens everything, and what bindings would refuse is noted. `ym auth audit` "
                "lists it.",
                "false"}},
      Key{"admin_token", &R::admin_token, Flag{},
          About{"`false`: the file `admin.token` is removed, and its token revoked. `ym admin recover` then makes a "
                "token for an hour.",
                "false"}},
      Key{"projects", &R::projects, ListOf{MapOf<Project>{}, "projects", 10'000},
          About{"Projects. Others can be made with `ym project create`.", "[{name: vision}]"}},
      Key{"bindings", &R::bindings, ListOf{MapOf<RoleGiven>{}, "bindings", 100'000},
          About{"Roles that are given. Others can be given with `ym role bind`.",
                "[{role: admin, to: ann, scope: site}]"}},
  };
};

}  // namespace ym::keys
