// The engine's settings, as a configuration has them.
#pragma once

#include "engine/engine.h"
#include "spec/documents.h"

namespace ym::api {

// What it leaves out is as in `base`: the engine's own values, if it is all that is set.
engine::Policy policy_of(const Configuration& configuration, const engine::Policy& base = {});

}  // namespace ym::api
