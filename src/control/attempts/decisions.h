// Turns the engine's decisions into events and effects.
#pragma once

#include "control/state/job_contacts.h"
#include "control/state/staging.h"

namespace ym {

// Stages each decision of the plan as a whole or not at all: the state may have changed since the engine read it.
// Decisions that do not fit any more are dropped, and the next plan decides again.
void stage_plan(Staging& staging, const JobContacts& contacts, const engine::Plan& plan);

}  // namespace ym
