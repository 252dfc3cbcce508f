// Requests of `ym reservation create`: text in, a checked request out.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/reservation.h"

namespace ym {

// One JSON object:
//   name            name of the reservation
//   from            begin; default: now
//   until           end; or `duration`, the length
//   nodes           a list of names and patterns (n[1-4]); or `node_count`, optionally with `flavor` and `cluster`
//   users, queues   users and queues that may use it; without both it is for maintenance
//   message         its purpose
//   ignore_jobs     true: jobs may still run when it begins
// Times are rounded outwards to whole minutes, so it is never shorter than requested. Does not check that nodes and
// queues exist. Errors: `invalid`, with a pointer to each wrong field.
Result<ReservationRequest> parse_reservation(std::string_view json, Instant now);

}  // namespace ym
