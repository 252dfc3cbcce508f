// Small clusters and jobs that get into each other's way.
#pragma once

#include "base/random.h"
#include "control/site/configuration.h"

namespace ym::sim {

// Two to six nodes, in one or two clusters; queues that lend to each other, with quota for what there is.
DesiredState draw_site(Random& random);

// Single ones and gangs, elastic ones, some that fail, save, are deaf to signals for a while, or are retried.
JobSpec draw_job(Random& random, const DesiredState& site);

}  // namespace ym::sim
