// Random small clusters, and jobs that compete for them.
#pragma once

#include "base/random.h"
#include "control/site/configuration.h"

namespace ym::sim {

// Two to six nodes in one or two clusters, and queues that lend to each other, with quota for these nodes.
DesiredState draw_site(Random& random);

// A job: single or a gang, maybe elastic. It may fail, save, ignore signals for some time, or be retried.
JobSpec draw_job(Random& random, const DesiredState& site);

}  // namespace ym::sim
