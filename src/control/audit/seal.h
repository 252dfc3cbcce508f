// Seals: a hash chain over the list of events.
//
// A seal is an event itself. It has a hash of each event of a span, and `chain`: the hash of the chain before, of the
// span's ends, and of these hashes. A writer that changes, removes, inserts or swaps events must make all later
// seals anew, and then the last one differs from a kept copy (head). The hashes of single events
// name the first one that was changed. Hash: BLAKE2b (RFC 7693), with 16 and 32 bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "store/store.h"

namespace ym {

// A seal, as far as the next one needs it. Without a seal: 0 and empty.
struct SealHead {
  std::uint64_t to = 0;
  std::string chain;
  bool operator==(const SealHead&) const = default;
};

// Most events of a span.
inline constexpr std::size_t kMostSealed = 1000;

// The hash of an event.
struct SealLeaf {
  std::uint64_t seq = 0;
  std::string hash;
  bool is_seal = false;  // the event is one
};
SealLeaf leaf_of(const StoredEvent& event);

// Precondition: the events follow `before` without a gap; there is one.
LogSealed make_seal(const SealHead& before, std::span<const SealLeaf> events);

struct SealFault {
  std::uint64_t seq = 0;  // the first event that is not as it was sealed; of a seal that does not fit its own event
  std::string what;
};
// Nothing: the seal follows `before`, and `events` are those of its span.
std::optional<SealFault> check_seal(const SealHead& before, const LogSealed& seal, std::span<const SealLeaf> events);

}  // namespace ym
