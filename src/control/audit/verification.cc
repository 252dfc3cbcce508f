#include "control/audit/verification.h"

#include <fmt/format.h>

#include <algorithm>

namespace ym {
namespace {

constexpr std::size_t kSealsOfAPart = 4;

// More events than a seal may have are not read for one that claims to have them.
Result<std::vector<StoredEvent>> events_of(StoreReader& reader, const LogSealed& seal) {
  const auto count = seal.to >= seal.from ? std::min<std::uint64_t>(seal.to - seal.from + 1, kMostSealed) : 0;
  return reader.stored_events(seal.from - 1, count);
}

}  // namespace

Result<VerifiedPart> verify_part(StoreReader& reader, const VerifiedTo& begin) {
  VerifiedPart part{.end = begin};
  const auto seals = reader.events({.after = begin.seal, .type = LogSealed::kType}, kSealsOfAPart + 1);
  if (!seals && seals.error().code == ErrorCode::corrupt) {
    part.fault = SealFault{begin.head.to + 1, "a seal after this event cannot be read: " + seals.error().message};
    return part;
  }
  if (!seals) return std::unexpected(seals.error());
  for (const Event& event : *seals) {
    if (part.heads.size() == kSealsOfAPart) {
      part.more = true;
      break;
    }
    const auto& seal = std::get<LogSealed>(event.payload);
    const auto events = events_of(reader, seal);
    if (!events) return std::unexpected(events.error());
    part.fault = check_seal(part.end.head, seal, *events);
    if (part.fault) break;
    part.end = {.head = {.to = seal.to, .chain = seal.chain}, .seal = event.seq};
    part.heads.push_back(part.end.head);
  }
  return part;
}

Result<VerifiedTo> find_last_seal(StoreReader& reader, std::uint64_t last) {
  // Seals are rarely far apart. Each look goes back further.
  for (std::uint64_t back = 4 * kMostSealed;; back *= 8) {
    const auto after = last > back ? last - back : 0;
    VerifiedTo found;
    for (std::uint64_t from = after;;) {
      const auto seals = reader.events({.after = from, .type = LogSealed::kType}, kMostSealed);
      if (!seals) return std::unexpected(seals.error());
      if (seals->empty()) break;
      const auto& seal = std::get<LogSealed>(seals->back().payload);
      from = seals->back().seq;
      found = {.head = {.to = seal.to, .chain = seal.chain}, .seal = from};
    }
    if (found.seal > 0 || after == 0) return found;
  }
}

}  // namespace ym
