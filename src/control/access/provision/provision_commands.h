// What identity providers change by SCIM (RFC 7644).
//
// The provider's word gives and takes what its groups give, so the caller needs no such rights itself: which account
// speaks for a provider is in the configuration file alone (Issuer::scim). All need `identities.get` and
// `identities.edit` at the site.
#pragma once

#include <string_view>

#include "control/access/access_change.h"
#include "control/access/access_commands.h"

namespace ym {

// Most groups of all providers.
inline constexpr std::size_t kMostProvisionedGroups = 10'000;

// Errors of all: `forbidden`; `invalid`, with the field; `not_found`: the provider has not made it, or removed it.
//
// Errors: `conflict`: the name is that of another principal, or the user of the provider is one already.
Result<AccessChange> change_of(const ProvisionUser& command, const AccessContext& context);
Result<AccessChange> change_of(const RemoveProvisionedUser& command, const AccessContext& context);
// Errors: `conflict`: another group has the name; `too_large`.
Result<AccessChange> change_of(const ProvisionGroup& command, const AccessContext& context);
Result<AccessChange> change_of(const RemoveProvisionedGroup& command, const AccessContext& context);

// The user that the issuer has made under this name, in any letter case; removed ones, too. Null: there is none.
const Principal* find_provisioned(const Tables& tables, std::string_view issuer, std::string_view user_name);
// The same, if it waits for its first login.
const Principal* find_expected(const Tables& tables, std::string_view issuer, std::string_view user_name);

}  // namespace ym
