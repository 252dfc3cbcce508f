// Requests of `ym reservation create`: text in, a checked request out.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/reservation.h"

namespace ym {

// One JSON object with the keys of keys/reservation.h. Without users and queues it is for maintenance.
// Times are rounded outwards to whole minutes, so it is never shorter than requested. Does not check that nodes and
// queues exist. Errors: `invalid`, with a pointer to each wrong field.
Result<ReservationRequest> parse_reservation(std::string_view json, Instant now);

}  // namespace ym
