#include "engine/quota/lately.h"

#include <algorithm>

namespace ym::engine {
namespace {

constexpr __int128 kMillionMillionths = 1'000'000'000'000;

}  // namespace

Lately::Lately(const Known& known, std::int64_t kept)
    : kept_(kept), quota_(known.quota.fine_and_unused()), machines_(fine(known.machines)) {
  for (const auto& [name, row] : known.rows) {
    const Index queue = known.queues.find(row.queue), user = known.users.find(row.user);
    if (queue == kNone) continue;
    const auto& allowed = known.quota.flavors(queue);
    for (const FlavorUsage& one : row.flavors) {
      const ResourceVector used = with_entries(one, kept);
      if (user != kNone) of_users_[{queue, user}] += used;
      const Index flavor = known.flavors.find(one.flavor);
      if (flavor != kNone && one.entered != ResourceVector{}) entered_[{queue, user, flavor}] = one.entered;
      // What a queue may not use any more is no part of any share.
      const bool counts = flavor != kNone && allowed && std::ranges::find(*allowed, flavor) != allowed->end();
      if (counts) quota_.add(queue, flavor, used);
    }
  }
}

void Lately::change(const Who& who, const ResourceVector& from, const ResourceVector& to) {
  const auto [queue, user, flavor] = who;
  quota_.remove(queue, flavor, entry(from));
  quota_.add(queue, flavor, entry(to));
  ResourceVector& own = of_users_[{queue, user}];
  own -= entry(from);
  own += entry(to);
}

// As the row will have it that is stored then: else who was equal would not be in the next cycle.
void Lately::admit(Index queue, Index user, Index flavor, const ResourceVector& amounts) {
  ResourceVector& entered = entered_[{queue, user, flavor}];
  const ResourceVector before = entered;
  entered += amounts;
  change({queue, user, flavor}, before, entered);
}

void Lately::take_back(Index queue, Index user, Index flavor, const ResourceVector& amounts) {
  ResourceVector& entered = entered_[{queue, user, flavor}];
  const ResourceVector before = entered;
  entered -= amounts;
  change({queue, user, flavor}, before, entered);
}

std::int64_t Lately::share_of(Index queue, Index user) const {
  const auto it = of_users_.find({queue, user});
  if (it == of_users_.end()) return 0;
  __int128 largest = 0;
  for (std::size_t kind = 0; kind < kResourceKinds; ++kind)
    if (machines_.amounts[kind] > 0)
      largest = std::max(largest, it->second.amounts[kind] * kMillionMillionths / machines_.amounts[kind]);
  return static_cast<std::int64_t>(largest);
}

}  // namespace ym::engine
