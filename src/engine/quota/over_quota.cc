#include "engine/quota/over_quota.h"

#include "engine/quota/demand.h"

#include <algorithm>

namespace ym::engine {

bool is_overdrawn_by(const State::Impl& state, const LiveAttempt& attempt) {
  const QuotaTree& quota = state.quota;
  return std::ranges::any_of(attempt.flavors.each(), [&](FlavorIndex flavor) {
    const ResourceVector used = attempt.in(flavor);
    return std::ranges::any_of(kKindsByWeight, [&](ResourceKind kind) {
      return used[kind] > 0 && quota.limited(attempt.queue, flavor, kind) &&
             quota.usage(attempt.queue, flavor, kind) > quota.subtree(attempt.queue, flavor, kind) &&
             quota.available(attempt.queue, flavor, kind).amount < 0;
    });
  });
}

}  // namespace ym::engine
