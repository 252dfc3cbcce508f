// How the engine's decisions become events and effects.
#pragma once

#include "control/state/job_contacts.h"
#include "control/state/staging.h"

namespace ym {

// Stages each decision of the plan as a whole, or not at all: the world may have moved on
// since the engine looked. What no longer holds is dropped, and the next plan decides anew.
void stage_plan(Staging& staging, const JobContacts& contacts, const engine::Plan& plan);

}  // namespace ym
