// The request with which an executor starts an attempt.
#pragma once

#include "control/state/job_contacts.h"
#include "control/state/staging.h"

namespace ym {

// How the attempt's tasks reach the server from now on. Nothing: they do not.
std::optional<JobContact> contact_of(const Tables& tables, const Attempt& attempt, const JobContacts& contacts,
                                     Instant now);

// Precondition: the attempt is in the tables.
LaunchEffect launch_effect(const Tables& tables, const Attempt& attempt, const JobContacts& contacts, Instant now);

}  // namespace ym
