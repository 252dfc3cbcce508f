// What `ym reservation create` sends: text in, a checked request out.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/reservation.h"

namespace ym {

// One JSON object:
//   name            of the reservation
//   from            when it begins; left out: now
//   until           when it ends; or `duration`, from then on
//   nodes           a list of names and patterns (n[1-4]); or `node_count`, with `flavor` and `cluster` if wanted
//   users, queues   who may use it; neither: nobody, it is maintenance
//   message         what it is for
//   ignore_jobs     true: jobs may still be there when it begins
// Times are cut to whole minutes, so that it is never shorter than was asked for. Whether nodes and queues are
// there is not checked. Errors: `invalid`, with a pointer to each wrong field.
Result<ReservationRequest> parse_reservation(std::string_view json, Instant now);

}  // namespace ym
