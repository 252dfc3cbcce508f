// What a segment of the history changes. These commands are the server's own.
#pragma once

#include "control/access/access_change.h"
#include "control/history/history_commands.h"

namespace ym {

// Errors: `conflict`: it does not follow the last segment.
Result<AccessChange> change_of(const AddHistorySegment& command, const AccessContext& context);
// Errors: `not_found`; `conflict`: it is the last one: later seals go on from its chain.
Result<AccessChange> change_of(const RemoveHistorySegment& command, const AccessContext& context);

}  // namespace ym
