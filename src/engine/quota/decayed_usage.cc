#include "engine/quota/decayed_usage.h"

#include <algorithm>

namespace ym::engine {
namespace {

constexpr __int128 kMillionMillionths = 1'000'000'000'000;

}  // namespace

DecayedUsage::DecayedUsage(const Known& known, std::int64_t kept)
    : kept_(kept), quota_(known.quota.fine_and_unused()), machines_(fine(known.machines)) {
  for (const auto& [name, row] : known.rows) {
    const QueueIndex queue = known.queues.find(row.queue);
    const UserIndex user = known.users.find(row.user);
    if (queue == kNone) continue;
    const auto& allowed = known.quota.flavors(queue);
    for (const FlavorUsage& one : row.flavors) {
      const ResourceVector used = with_entries(one, kept);
      if (user != kNone) of_users_[{queue, user}] += used;
      const FlavorIndex flavor = known.flavors.find(one.flavor);
      if (flavor != kNone && one.entered != ResourceVector{}) entered_[{queue, user, flavor}] = one.entered;
      // Usage of a flavor that the queue may not use any more counts in no share.
      const bool counts = flavor != kNone && allowed && std::ranges::find(*allowed, flavor) != allowed->end();
      if (counts) quota_.add(queue, flavor, used);
    }
  }
}

// Rounded as the row that will be stored: otherwise queues that are equal now would differ in the next cycle.
void DecayedUsage::enter(const Key& key, const ResourceVector& amounts) {
  const auto [queue, user, flavor] = key;
  ResourceVector& entered = entered_[key];
  const ResourceVector before = entry(entered), after = entry(amounts);
  quota_.remove(queue, flavor, before);
  quota_.add(queue, flavor, after);
  ResourceVector& own = of_users_[{queue, user}];
  own -= before;
  own += after;
  entered = amounts;
}

void DecayedUsage::admit(QueueIndex queue, UserIndex user, FlavorIndex flavor, const ResourceVector& amounts) {
  ResourceVector all = entered_[{queue, user, flavor}];
  all += amounts;
  enter({queue, user, flavor}, all);
}

void DecayedUsage::revoke(QueueIndex queue, UserIndex user, FlavorIndex flavor, const ResourceVector& amounts) {
  ResourceVector rest = entered_[{queue, user, flavor}];
  rest -= amounts;
  enter({queue, user, flavor}, rest);
}

std::int64_t DecayedUsage::share_of(QueueIndex queue, UserIndex user) const {
  const auto it = of_users_.find({queue, user});
  if (it == of_users_.end()) return 0;
  __int128 largest = 0;
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
    if (machines_.amounts[kind] > 0)
      largest = std::max(largest, it->second.amounts[kind] * kMillionMillionths / machines_.amounts[kind]);
  return static_cast<std::int64_t>(largest);
}

}  // namespace ym::engine
