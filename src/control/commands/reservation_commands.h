// Advance reservations that are made and removed while the server runs, and those that are over.
#pragma once

#include <optional>

#include "control/command.h"
#include "control/state/staging.h"

namespace ym {

// Errors: `conflict` (there is one of that name; too few nodes; jobs may still be there), `invalid`, with the fields.
Result<CommandReply> stage_create_reservation(Staging& staging, const Caller& caller, const CreateReservation& command);
Result<CommandReply> stage_remove_reservation(Staging& staging, const Caller& caller, const RemoveReservation& command);

// Those that are over leave.
void stage_reservations_over(Staging& staging);
// When the next one is over.
std::optional<Instant> next_reservation_over(const Tables& tables);

}  // namespace ym
