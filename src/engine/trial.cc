#include "engine/trial.h"

#include <utility>

#include "base/assert.h"

namespace ym::engine {

Trial::Trial(State::Impl& state) : state_(state) { YM_ASSERT(state_.grants.empty()); }

Trial::~Trial() { roll_back(0); }

void Trial::take(Grant grant) {
  const Shape& shape = state_.shape_of(state_.jobs[grant.job]);
  const NodeNeed need = NodeNeed::of(shape.task);
  for (std::size_t task = 0; task < grant.nodes.size(); ++task) {
    YM_ASSERT((grant.bits[task] & ~state_.inventory.free_devices(grant.nodes[task])) == 0);
    state_.inventory.take(grant.nodes[task], need, grant.bits[task]);
  }
  state_.quota.add(shape.queue, grant.flavor, shape.total());
  state_.grants.push_back(std::move(grant));
}

void Trial::roll_back(std::size_t mark) {
  for (; state_.grants.size() > mark; state_.grants.pop_back()) {
    const Grant& grant = state_.grants.back();
    const Shape& shape = state_.shape_of(state_.jobs[grant.job]);
    const NodeNeed need = NodeNeed::of(shape.task);
    for (std::size_t task = 0; task < grant.nodes.size(); ++task)
      state_.inventory.give_back(grant.nodes[task], need, grant.bits[task]);
    state_.quota.remove(shape.queue, grant.flavor, shape.total());
  }
}

}  // namespace ym::engine
