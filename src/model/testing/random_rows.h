// Random rows and events: every field has a value, without meaning.
//
// For properties of a single value (what is encoded decodes to itself). Texts have
// awkward characters, numbers are often at their limits, optional fields are absent
// half of the time.
#pragma once

#include "base/random.h"
#include "model/event.h"
#include "model/usage.h"

namespace ym::testing {

JobSpec random_spec(Random& random);
Job random_job(Random& random);  // with a spec
Attempt random_attempt(Random& random);
Cluster random_cluster(Random& random);
Node random_node(Random& random);
Flavor random_flavor(Random& random);
Queue random_queue(Random& random);
Usage random_usage(Random& random);
AdvanceReservation random_reservation(Random& random);
PolicyRow random_policy(Random& random);
Spending random_spending(Random& random);

// A payload of the variant's n-th type. Precondition: n < its size.
EventPayload random_payload(Random& random, std::size_t n);

}  // namespace ym::testing
