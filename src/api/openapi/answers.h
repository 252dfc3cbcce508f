// What answers and requests look like: the schemas of `components`, a function for each subject.
//
// A member of an answer is a row. What has a key table is not listed here again: job_specs.cc and queues make it of the
// table.
#pragma once

#include <vector>

#include "api/openapi/schema.h"

namespace ym::api::openapi {

std::vector<Named> job_spec_answers();
std::vector<Named> job_answers();
std::vector<Named> attempt_answers();
std::vector<Named> explanation_answers();
std::vector<Named> queue_answers();
std::vector<Named> policy_answers();
std::vector<Named> cluster_answers();  // nodes and reservations
std::vector<Named> event_answers();
std::vector<Named> token_answers();
std::vector<Named> server_answers();

// What each task of an attempt has, or is to have.
Schema placement();

}  // namespace ym::api::openapi
