// Over-quota usage that no queue has quota for, because quota was taken away.
#pragma once

#include "engine/state/impl.h"

namespace ym::engine {

// Whether the attempt uses something that its queue has borrowed and its tree has too little of.
bool is_overdrawn_by(const State::Impl& state, const LiveAttempt& attempt);

}  // namespace ym::engine
