// What logins change. These commands are the server's own: it checked the proof before.
#pragma once

#include "control/access/access_change.h"
#include "control/access/access_commands.h"

namespace ym {

// Errors: `forbidden`: the provider's name for the user is no handle here, the proof was used before, the principal is
// disabled, or it has no role while bindings do not decide yet; `conflict`: another principal has this handle.
Result<AccessChange> change_of(const LogIn& command, const AccessContext& context);
// Errors: `forbidden`: the proof was used before, or the account is disabled; `conflict`: a user has this handle.
Result<AccessChange> change_of(const ExchangeProof& command, const AccessContext& context);
// Without such a principal it changes nothing.
Result<AccessChange> change_of(const EndLogins& command, const AccessContext& context);
// Tokens that are gone are left out.
Result<AccessChange> change_of(const NoteTokenUse& command, const AccessContext& context);

Result<AccessChange> change_of(const KeepIssuers& command, const AccessContext& context);
Result<AccessChange> change_of(const ForgetExpired& command, const AccessContext& context);

// Adds the ends of all logins of the principal.
void end_logins(const Principal& row, const AccessContext& context, AccessChange& change);

// The principal that the issuer calls so. Null: it has not logged in yet.
const Principal* find_subject(const Tables& tables, std::string_view issuer, std::string_view subject);

}  // namespace ym
