// What requests of SCIM say of users and groups. Attributes that this server does not keep are ignored.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/scim/fault.h"
#include "control/access/access_commands.h"

namespace ym::api::scim {

// Empty texts: the attribute is removed.
struct UserChange {
  std::optional<std::string> user_name{}, external_id{}, display{}, email{};
  std::optional<bool> active{};
};
struct GroupChange {
  std::optional<std::string> display{}, external_id{};
  MemberChange members{};
};

// Errors of all: invalidSyntax, invalidValue, invalidPath, invalidFilter; noTarget of a patch.
Read<UserChange> read_user(std::string_view body);
Read<UserChange> read_user_patch(std::string_view body);
Read<GroupChange> read_group(std::string_view body);
Read<GroupChange> read_group_patch(std::string_view body);

// The same of a resource that replaces another: what it does not name is removed. Only whether a user is active then
// stays as it is.
UserChange as_whole(UserChange change);
GroupChange as_whole(GroupChange change);

}  // namespace ym::api::scim
