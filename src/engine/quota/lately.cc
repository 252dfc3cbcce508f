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
      // What a queue may not use any more is no part of any share.
      const bool counts = flavor != kNone && allowed && std::ranges::find(*allowed, flavor) != allowed->end();
      if (counts) quota_.add(queue, flavor, used);
    }
  }
}

void Lately::admit(Index queue, Index user, Index flavor, const ResourceVector& amounts) {
  const ResourceVector more = entry(amounts);
  quota_.add(queue, flavor, more);
  of_users_[{queue, user}] += more;
}

void Lately::take_back(Index queue, Index user, Index flavor, const ResourceVector& amounts) {
  const ResourceVector less = entry(amounts);
  quota_.remove(queue, flavor, less);
  of_users_[{queue, user}] -= less;
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
