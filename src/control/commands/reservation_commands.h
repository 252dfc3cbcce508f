// Advance reservations: made and removed by commands, and removed when they are over.
#pragma once

#include <optional>

#include "control/command.h"
#include "control/state/staging.h"

namespace ym {

// Errors: `conflict` (the name is taken; too few nodes; another reservation has the node; jobs may still run there),
// `invalid`, with the fields.
Result<CommandReply> stage_create_reservation(Staging& staging, const Caller& caller, const CreateReservation& command);
Result<CommandReply> stage_remove_reservation(Staging& staging, const Caller& caller, const RemoveReservation& command);

// Removes reservations that are over.
void stage_reservations_over(Staging& staging);
// When the next reservation is over.
std::optional<Instant> next_reservation_over(const Tables& tables);

}  // namespace ym
