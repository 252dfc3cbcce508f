// Usage that decays: what each user of each queue has used lately.
//
// It is sampled on a grid of whole minutes. Of what was, a part is kept, half of it after a half-life;
// what is used at the time of the sample makes up the rest. An admission counts at once as if it had been
// used for one whole minute: so that who starts much within a minute, or what is over before it is
// sampled, is seen too. Formula and entry penalty are those of Kueue's admission fair sharing (KEP-4136).
//
// Only integers, so that every process and build finds the same: GPUs and CPUs in billionths, memory in
// bytes; parts of a whole in 2^-32.
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

// By what queues that borrow follow each other.
//   decayed: by what they have borrowed on the average of the last days; where that is
//            equal, as instant
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
  ResourceVector decayed;  // as of the last sample, in the fine units of the header
  ResourceVector entered;  // that was admitted since, in the kinds' own units
  bool operator==(const FlavorUsage&) const = default;
};

// Of one user in one queue.
struct Usage {
  static constexpr std::string_view kTable = "usage", kRow = "usage";
  std::string name;  // "QUEUE/USER"
  std::string queue;
  std::string user;
  Instant sampled_at;                // on the grid
  std::vector<FlavorUsage> flavors;  // by name; only those with some
  bool operator==(const Usage&) const = default;
};

using UsageRows = std::map<std::string, Usage>;  // by name

// What an attempt uses, and whose that is.
struct UsageEntry {
  std::string queue, user, flavor;
  ResourceVector amounts;
};

// An admission at this time; the row that it is entered into.
const Usage& enter(UsageRows& rows, const UsageEntry& entry, Instant at);

// Brings all rows to this time, which is on the grid; those that are there already stay as they are.
// `running`: what is used now, entered into no rows. `kept`: the part of a minute's usage that is left a
// minute later. Rows with next to nothing left go.
void sample(UsageRows& rows, const UsageRows& running, Instant at, std::int64_t kept);

// The part that is kept from one sample to the next. Precondition: at least a minute. Whoever decides by
// it keeps the number: it is the only one here that is found with floating point.
std::int64_t kept_part(Duration half_life);

// The last time on the grid.
Instant usage_grid(Instant time);

// In the fine units.
ResourceVector fine(const ResourceVector& amounts);
// And back, rounded to the nearest.
ResourceVector coarse(const ResourceVector& fine_amounts);
// How many fine units make one of a kind's own.
std::int64_t fineness(ResourceKind kind);
// Of fine units: as decayed, and with its part of what was admitted since.
ResourceVector with_entries(const FlavorUsage& usage, std::int64_t kept);
// So much of each amount, rounded down. Precondition: 0 <= part <= kWholePart.
ResourceVector part_of(const ResourceVector& amounts, std::int64_t part);

}  // namespace ym
