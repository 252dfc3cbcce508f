// The engine's settings, as a configuration has them.
#pragma once

#include "engine/engine.h"
#include "spec/documents.h"

namespace ym::api {

// What it leaves out keeps the engine's own value.
engine::Policy policy_of(const Configuration& configuration);

}  // namespace ym::api
