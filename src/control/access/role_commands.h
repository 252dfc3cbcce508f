// What the commands on roles and bindings change.
//
// No caller grants more than it holds. To bind a role it has each of the role's permissions at the scope, and to change
// a role it has them at the site.
#pragma once

#include "control/access/access_change.h"

namespace ym {

// Errors: `invalid`, with the field; `forbidden`; `not_found`; `conflict`.
Result<AccessChange> change_of(const SetRole& command, const AccessContext& context);
Result<AccessChange> change_of(const RemoveRole& command, const AccessContext& context);
Result<AccessChange> change_of(const BindRole& command, const AccessContext& context);
Result<AccessChange> change_of(const UnbindRole& command, const AccessContext& context);

}  // namespace ym
