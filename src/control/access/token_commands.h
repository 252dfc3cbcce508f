// What the commands on access tokens change.
#pragma once

#include "control/access/access_change.h"
#include "control/access/access_commands.h"

namespace ym {

// Errors: `invalid`, with the field; `forbidden`; `not_found`; `conflict`.
Result<AccessChange> change_of(const CreateToken& command, const AccessContext& context);
Result<AccessChange> change_of(const RevokeToken& command, const AccessContext& context);
Result<AccessChange> change_of(const RotateAdminToken& command, const AccessContext& context);

// A new token of the principal, without scopes and without an end.
TokenReply new_token(const Principal& principal, TokenKind kind, const AccessContext& context);

// The event that ends a token. A proof that it was given for counts once, so its row stays a while.
EventPayload end_of(const AccessToken& token, Instant now);

// Whether the caller may know of the token: it is its own, and can do no more than the token of the request; or the
// caller may see those of others.
bool sees_token(const Access& access, const Caller& caller, const AccessToken& token);

}  // namespace ym
