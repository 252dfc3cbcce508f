// Decayed usage: what each user of each queue has used.
//
// It is sampled on a grid of whole minutes. Each sample keeps a part of the past usage, so that half is left after a
// half-life; present usage makes up the rest. An admission counts at once as one whole minute of usage. So short runs
// between two samples count, too. The formula and the entry penalty are those of Kueue's admission fair sharing
// (KEP-4136).
//
// All numbers are integers, so that every process and build computes the same: GPUs and CPUs in billionths, memory in
// bytes, parts of a whole in units of 2^-32.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/time.h"
#include "model/resources.h"

namespace ym {

inline constexpr Duration kUsageSampling = minutes(1);
inline constexpr Duration kUsageHalfLife = hours(7 * 24);
inline constexpr std::int64_t kWholePart = std::int64_t{1} << 32;
inline constexpr std::int64_t kUsageKept = 4'294'671'964;  // kept_part(kUsageHalfLife)

// The order of queues that borrow.
//   decayed: by the decayed usage of borrowed quota; where that is equal, as instant
//   instant: by what they borrow now
enum class FairShare : std::uint8_t { decayed, instant };
constexpr std::string_view to_string(FairShare value) {
  switch (value) {
    case FairShare::decayed: return "decayed";
    case FairShare::instant: return "instant";
  }
  return {};
}

struct FlavorUsage {
  std::string flavor;
  ResourceVector decayed;  // at the last sample, in the fine units of the header
  ResourceVector entered;  // admitted since, in the kinds' own units
  bool operator==(const FlavorUsage&) const = default;
};

// The usage of one user in one queue.
struct Usage {
  static constexpr std::string_view kTable = "usage", kRow = "usage";
  std::string name;  // "QUEUE/USER"
  std::string queue;
  std::string user;
  Instant sampled_at;                // on the grid
  std::vector<FlavorUsage> flavors;  // by name; only flavors with usage
  bool operator==(const Usage&) const = default;
};

using UsageRows = std::map<std::string, Usage>;  // by name

// What an attempt uses, with its queue and user.
struct UsageEntry {
  std::string queue, user, flavor;
  ResourceVector amounts;
};

// Enters an admission. Returns the row.
const Usage& enter(UsageRows& rows, const UsageEntry& entry, Instant at);

// Brings all rows to `at`, which is on the grid. Rows that have this time already do not change. `running`: present
// usage, in `entered`. `kept`: the part of a usage that is left one minute later. Rows with almost nothing left are
// dropped.
void sample(UsageRows& rows, const UsageRows& running, Instant at, std::int64_t kept);

// The part that is kept from one sample to the next. Precondition: at least one minute. Store the result and use it for
// all decisions: it is the only number here that is computed with floating point.
std::int64_t kept_part(Duration half_life);

// The last time on the grid that is not after `time`.
Instant usage_grid(Instant time);

// In the fine units.
ResourceVector fine(const ResourceVector& amounts);
// In the kinds' own units, rounded to the nearest.
ResourceVector coarse(const ResourceVector& fine_amounts);
// Fine units in one of a kind's own units.
std::int64_t fineness(ResourceKind kind);
// The decayed usage in fine units, with the part of later admissions that counts.
ResourceVector with_entries(const FlavorUsage& usage, std::int64_t kept);
// This part of each amount, rounded down. Precondition: 0 <= part <= kWholePart.
ResourceVector part_of(const ResourceVector& amounts, std::int64_t part);

}  // namespace ym
