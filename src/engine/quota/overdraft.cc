#include "engine/quota/overdraft.h"

#include "engine/quota/demand.h"

#include <algorithm>

namespace ym::engine {

bool is_overdrawn_by(const State::Impl& state, const LiveAttempt& attempt) {
  const QuotaTree& quota = state.quota;
  return std::ranges::any_of(kKindsByWeight, [&](ResourceKind kind) {
    return attempt.task[kind] > 0 && quota.limited(attempt.queue, attempt.flavor, kind) &&
           quota.usage(attempt.queue, attempt.flavor, kind) > quota.subtree(attempt.queue, attempt.flavor, kind) &&
           quota.available(attempt.queue, attempt.flavor, kind).amount < 0;
  });
}

}  // namespace ym::engine
