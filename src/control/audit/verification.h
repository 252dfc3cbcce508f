// Verification: whether the events are as they were sealed. Part by part, so that each takes little time.
#pragma once

#include <optional>
#include <vector>

#include "control/audit/seal.h"

namespace ym {

// Where a part begins. At first it is empty.
struct VerifiedTo {
  SealHead head;
  std::uint64_t seal = 0;  // the last seal's own event
};

struct VerifiedPart {
  VerifiedTo end;
  std::vector<SealHead> heads;       // of the seals of this part that are right
  std::optional<SealFault> fault{};  // the first one; `end` is before it
  bool more = false;                 // there are seals after `end`
};

// Errors: those of the reader, but damage of an event is a fault.
Result<VerifiedPart> verify_part(StoreReader& reader, const VerifiedTo& begin);

// The last seal. `last`: the last event. Errors: those of the reader.
Result<VerifiedTo> find_last_seal(StoreReader& reader, std::uint64_t last);

}  // namespace ym
