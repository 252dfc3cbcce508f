// What the commands on projects and principals change.
#pragma once

#include "control/access/access_change.h"

namespace ym {

// Errors: `invalid`, with the field; `forbidden`; `not_found`; `conflict`.
Result<AccessChange> change_of(const SetProject& command, const AccessContext& context);
Result<AccessChange> change_of(const RemoveProject& command, const AccessContext& context);
Result<AccessChange> change_of(const ChangePrincipal& command, const AccessContext& context);

}  // namespace ym
