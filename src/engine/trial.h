// Trial: decisions tried on the state itself, and taken back again.
#pragma once

#include <cstddef>

#include "engine/state/impl.h"

namespace ym::engine {

// Takes what a grant needs at once; gives everything back when it goes. The log of what
// to undo is `state.grants`, where the invariants can see it. Trials do not nest; a part
// of one is taken back by roll_back.
class Trial {
 public:
  explicit Trial(State::Impl& state);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Precondition: the nodes have the devices free, and the quota is there.
  void take(Grant grant);
  std::size_t mark() const { return state_.grants.size(); }
  void roll_back(std::size_t mark);

 private:
  State::Impl& state_;
};

}  // namespace ym::engine
