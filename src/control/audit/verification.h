// Verification: whether the events are as they were sealed. Part by part, so that each takes little time.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "control/audit/seal.h"

namespace ym {

// Where a part begins. At first it is empty.
struct VerifiedTo {
  SealHead head;
  std::uint64_t seal = 0;  // the last seal's own event
};

struct VerifiedPart {
  std::uint64_t from = 1;  // the first event of the log that was asked for; earlier ones are in segments
  VerifiedTo end;
  std::vector<SealHead> heads;       // of the seals of this part that are right
  std::optional<SealFault> fault{};  // the first one; `end` is before it
  std::size_t erased = 0;            // seals of this part that have their list from an erasure
  bool more = false;                 // there are seals after `end`
  // Of the last part: when the oldest event without a seal was made.
  std::optional<Instant> unsealed_since{};
};

// The stored erasures that count, and the seals that they explain. A row of an erasure counts only if its own event is
// in the log and says the same: events are sealed, rows are not. An erasure whose event is in a segment by now explains
// seals that are there, too. Errors: those of the reader.
Result<std::vector<Erasure>> confirmed_erasures(StoreReader& reader, std::span<const Erasure> erasures);
Result<ErasedSeals> confirmed_seals(StoreReader& reader, std::span<const Erasure> erasures);

// `last`: the last event. Errors: those of the reader, but damage of an event is a fault.
Result<VerifiedPart> verify_part(StoreReader& reader, const VerifiedTo& begin, std::uint64_t last,
                                 const ErasedSeals& erased = {});

// The hashes of the events after this one, at most `limit`. Errors: those of the reader.
Result<std::vector<SealLeaf>> read_leaves(StoreReader& reader, std::uint64_t after, std::size_t limit);

// The last seal. `last`: the last event. `go_on` is asked again and again; false ends the search without a result.
// Errors: those of the reader.
Result<std::optional<VerifiedTo>> find_last_seal(StoreReader& reader, std::uint64_t last,
                                                 const std::function<bool()>& go_on);

}  // namespace ym
