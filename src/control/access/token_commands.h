// What the commands on access tokens change.
#pragma once

#include "control/access/access_change.h"
#include "control/access/access_commands.h"

namespace ym {

// Errors: `invalid`, with the field; `forbidden`; `not_found`; `conflict`.
Result<AccessChange> change_of(const CreateToken& command, const AccessContext& context);
Result<AccessChange> change_of(const RevokeToken& command, const AccessContext& context);
Result<AccessChange> change_of(const RotateAdminToken& command, const AccessContext& context);

}  // namespace ym
