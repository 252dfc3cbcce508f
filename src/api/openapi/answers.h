// The schemas of answers and requests, for `components`: one function for each subject.
//
// A member of an answer is one row. Structs with a key table are not listed again: answers_job_specs.cc,
// answers_queues.cc and, for the request for a reservation, answers_cluster.cc make their schemas from the table.
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
std::vector<Named> access_answers();
std::vector<Named> server_answers();

// The placement of each task of an attempt: present or nominated.
Schema placement();

}  // namespace ym::api::openapi
