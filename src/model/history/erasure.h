// Erasure: a person's data was taken out of the state, and the seals of the events that changed are still checked.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace ym {

// A seal with events that were rewritten. Its list has their new hashes, so its chain does not follow from it any more.
struct ErasedSeal {
  std::uint64_t seal = 0;  // the seal's own event
  std::string digest;      // of that event as it is now: digest_of_seal in control/audit/seal.h
  bool operator==(const ErasedSeal&) const = default;
};

struct Erasure {
  static constexpr std::string_view kTable = "erasures", kRow = "erasure";
  static constexpr bool kConcernsEngine = false;
  std::string name;         // the pseudonym: what stands in place of the person everywhere
  std::uint64_t event = 0;  // the event that made this row; a row without it counts for nothing
  Instant at;
  std::string by;  // user of the machine that ran the command
  std::string reason;
  std::int64_t events = 0, jobs = 0, tokens = 0, segments = 0;  // that it changed
  std::vector<ErasedSeal> seals;                                // in order
  bool operator==(const Erasure&) const = default;
};

}  // namespace ym
