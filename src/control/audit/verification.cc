#include "control/audit/verification.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ym {
namespace {

constexpr std::size_t kSealsOfAPart = 4;
// Events that one search for seals looks at.
constexpr std::uint64_t kSearched = 50'000;

VerifiedTo place_of(const Event& event) {
  const auto& seal = std::get<LogSealed>(event.payload);
  return {.head = {.to = seal.to, .chain = seal.chain}, .seal = event.seq};
}

// More events than a seal may have are not read for one that claims to have them.
Result<std::vector<SealLeaf>> leaves_of(StoreReader& reader, const LogSealed& seal) {
  const auto count = seal.to >= seal.from ? std::min<std::uint64_t>(seal.to - seal.from + 1, kMostSealed) : 0;
  return read_leaves(reader, seal.from - 1, count);
}

bool is_as_erased(const Event& seal, const ErasedSeals& erased) {
  const auto it = erased.find(seal.seq);
  return it != erased.end() && it->second == digest_of_seal(seal);
}

// Of the seal of this event, with the events of its span.
Result<Excused> excused_of(StoreReader& reader, const Event& event, std::span<const SealLeaf> leaves,
                           const ErasedSeals& erased) {
  Excused excused{.list = is_as_erased(event, erased)};
  for (const SealLeaf& leaf : leaves) {
    if (!leaf.is_seal || !erased.contains(leaf.seq)) continue;
    const auto seal = reader.events({.after = leaf.seq - 1, .until = leaf.seq, .type = LogSealed::kType}, 1);
    if (!seal) return std::unexpected(seal.error());
    if (!seal->empty() && is_as_erased(seal->front(), erased)) excused.seals.insert(leaf.seq);
  }
  return excused;
}

// What comes after the last seal has no hashes, but no number may be missing.
Result<void> look_at_rest(StoreReader& reader, std::uint64_t last, VerifiedPart& part) {
  const auto after = part.end.head.to;
  const auto count = std::min<std::uint64_t>(last - std::min(last, after), kMostSealed);
  const auto rest = read_leaves(reader, after, count);
  if (!rest) return std::unexpected(rest.error());
  for (std::uint64_t i = 0; i < count; ++i)
    if (i >= rest->size() || (*rest)[i].seq != after + 1 + i) {
      part.fault = SealFault{after + 1 + i, "the event is missing"};
      return {};
    }
  if (std::ranges::all_of(*rest, &SealLeaf::is_seal)) return {};
  const auto first = reader.events({.after = after}, 1);
  if (first && !first->empty()) part.unsealed_since = first->front().time;
  return {};
}

}  // namespace

Result<std::vector<SealLeaf>> read_leaves(StoreReader& reader, std::uint64_t after, std::size_t limit) {
  std::vector<SealLeaf> leaves;
  while (leaves.size() < limit) {
    const auto events = reader.stored_events(after, limit - leaves.size());
    if (!events) return std::unexpected(events.error());
    if (events->empty()) break;
    std::ranges::transform(*events, std::back_inserter(leaves), leaf_of);
    after = leaves.back().seq;
  }
  return leaves;
}

Result<std::vector<Erasure>> confirmed_erasures(StoreReader& reader, std::span<const Erasure> erasures) {
  std::vector<Erasure> confirmed;
  for (const Erasure& row : erasures) {
    if (row.event == 0) continue;
    const auto found = reader.events({.after = row.event - 1, .until = row.event, .type = ErasureSet::kType}, 1);
    if (!found) return std::unexpected(found.error());
    if (!found->empty() && std::get<ErasureSet>(found->front().payload).row == row) confirmed.push_back(row);
  }
  return confirmed;
}

Result<ErasedSeals> confirmed_seals(StoreReader& reader, std::span<const Erasure> erasures) {
  const auto confirmed = confirmed_erasures(reader, erasures);
  return confirmed ? Result<ErasedSeals>(seals_of(*confirmed)) : std::unexpected(confirmed.error());
}

Result<VerifiedPart> verify_part(StoreReader& reader, const VerifiedTo& begin, std::uint64_t last,
                                 const ErasedSeals& erased) {
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
      return part;
    }
    const auto& seal = std::get<LogSealed>(event.payload);
    const auto leaves = leaves_of(reader, seal);
    if (!leaves) return std::unexpected(leaves.error());
    const auto excused = excused_of(reader, event, *leaves, erased);
    if (!excused) return std::unexpected(excused.error());
    part.fault = check_seal(part.end.head, seal, *leaves, *excused);
    if (part.fault) return part;
    part.erased += excused->list ? 1 : 0;
    part.end = place_of(event);
    part.heads.push_back(part.end.head);
  }
  if (auto looked = look_at_rest(reader, last, part); !looked) return std::unexpected(looked.error());
  return part;
}

Result<std::optional<VerifiedTo>> find_last_seal(StoreReader& reader, std::uint64_t last,
                                                 const std::function<bool()>& go_on) {
  for (std::uint64_t until = last; until > 0 && go_on();) {
    std::uint64_t after = until - std::min(until, kSearched);
    std::optional<VerifiedTo> found;
    for (std::uint64_t from = after;;) {
      const auto seals = reader.events({.after = from, .until = until, .type = LogSealed::kType}, kMostSealed);
      if (!seals) return std::unexpected(seals.error());
      if (seals->empty()) break;
      from = seals->back().seq;
      found = place_of(seals->back());
    }
    if (found) return found;
    until = after;
  }
  return go_on() ? std::optional(VerifiedTo{}) : std::nullopt;
}

}  // namespace ym
