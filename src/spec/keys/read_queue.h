// Structs of a queue with checks across their keys. Include it where one of them is read.
#pragma once

#include "model/keys/queue.h"
#include "spec/keys/read.h"

namespace ym::keys {

// {jobs: 8, gpus: 16, per_user: {jobs: 2}}
void read_form(const Field& field, Queue& queue, RunLimits);
// {gpu_hours: 100, per: month}, or {money: 500, per: week}.
void read_into(const Field& field, Budget& budget, MapOf<Budget>);

}  // namespace ym::keys
