// Seals: a hash chain over the list of events.
//
// A seal is an event itself. It has a hash of each event of a span, and `chain`: the hash of the chain before, of the
// span's ends, and of these hashes. A writer that changes, removes, inserts or swaps events must make all later
// seals anew, and then the last one differs from a kept copy (head). The hashes of single events
// name the first one that was changed. Hash: BLAKE2b (RFC 7693), with 16 and 32 bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "model/history/erasure.h"
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

// --- erasure (model/history/erasure.h)
// A seal with rewritten events keeps its chain, so that kept heads and later seals stay right, and its list has the
// hashes of the events as they are now. The chain does not follow from such a list. A later event with the digest of
// the whole seal says so, and is sealed itself.

// The hashes of these events, in place of the ones in the seal. Events outside its span are left out. Nothing: it
// has none of them, or its list is damaged.
std::optional<LogSealed> with_leaves(const LogSealed& seal, const std::map<std::uint64_t, std::string>& hashes);

// Of a seal's own event: all that it says. Precondition: its payload is a seal.
std::string digest_of_seal(const Event& event);

// What each seal that an erasure touched has to be, by its own event. The last erasure of a seal counts.
using ErasedSeals = std::map<std::uint64_t, std::string>;
ErasedSeals seals_of(std::span<const Erasure> erasures);

// What check_seal does not ask, because an erasure explains it.
struct Excused {
  bool list = false;                // the chain does not follow from the list
  std::set<std::uint64_t> seals{};  // events of the span: seals that were changed after this one had been made
};

struct SealFault {
  std::uint64_t seq = 0;  // the first event that is not as it was sealed; of a seal that does not fit its own event
  std::string what;
};
// Nothing: the seal follows `before`, and `events` are those of its span.
std::optional<SealFault> check_seal(const SealHead& before, const LogSealed& seal, std::span<const SealLeaf> events,
                                    const Excused& excused = {});

}  // namespace ym
