// How soon a job of declared size ends.
//
// Part of the policy's core: pure functions of their arguments. A job that outlives its declaration is taken to be
// twice as long, again and again. Precondition of all: declared_us > 0.
#pragma once

#include "papers/service/job.h"

namespace ym::sim::service {

// Run time left, without restarts; more than 0 unless the declaration was right to the microsecond and all is done.
double declared_left_us(double declared_us, Micros done_us);

// Completions per second, if it runs on or starts now. `restart_us`: without progress before it goes on; that alone
// keeps a running job from being stopped by an equal one.
double declared_rate(double declared_us, Micros done_us, Micros restart_us);

// Progress after which the job has outlived what it is now taken for.
Micros declared_outlived_in_us(double declared_us, Micros done_us);

}  // namespace ym::sim::service
