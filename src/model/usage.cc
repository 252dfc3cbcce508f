#include "model/usage.h"

#include <algorithm>
#include <cmath>

#include "base/assert.h"

namespace ym {
namespace {

constexpr std::int64_t kFinePerThousandth = 1'000'000;
// A smaller usage of a user in a flavor is dropped: a millionth of a device, a kilobyte. One GPU for one minute is
// more, also with a half-life of a year.
constexpr std::int64_t kLeastFine = 1000;

std::int64_t times(std::int64_t amount, std::int64_t part) {
  return static_cast<std::int64_t>((static_cast<__int128>(amount) * part) >> 32);
}

// part^n: the part that is left after n samples.
std::int64_t power(std::int64_t part, std::int64_t n) {
  std::int64_t result = kWholePart;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result = times(result, part);
    part = times(part, part);
  }
  return result;
}

FlavorUsage& flavor_of(Usage& usage, const std::string& flavor) {
  const auto place = std::ranges::lower_bound(usage.flavors, flavor, {}, &FlavorUsage::flavor);
  if (place != usage.flavors.end() && place->flavor == flavor) return *place;
  return *usage.flavors.insert(place, {.flavor = flavor, .decayed = {}, .entered = {}});
}

bool is_next_to_nothing(const FlavorUsage& usage) {
  return std::ranges::all_of(usage.decayed.amounts, [](std::int64_t amount) { return amount < kLeastFine; });
}

void sample_row(Usage& row, const Usage* running, Instant at, std::int64_t kept) {
  const std::int64_t left = power(kept, (at - row.sampled_at).ms / kUsageSampling.ms);
  for (FlavorUsage& one : row.flavors) {
    one.decayed = part_of(one.decayed, left);
    one.decayed += part_of(fine(one.entered), kWholePart - kept);
    one.entered = {};
  }
  if (running)
    for (const FlavorUsage& one : running->flavors)
      flavor_of(row, one.flavor).decayed += part_of(fine(one.entered), kWholePart - left);
  std::erase_if(row.flavors, is_next_to_nothing);
  row.sampled_at = at;
}

}  // namespace

const Usage& enter(UsageRows& rows, const UsageEntry& entry, Instant at) {
  const std::string name = entry.queue + "/" + entry.user;
  const auto [it, fresh] = rows.try_emplace(name);
  Usage& row = it->second;
  if (fresh)
    row = {.name = name, .queue = entry.queue, .user = entry.user, .sampled_at = usage_grid(at), .flavors = {}};
  flavor_of(row, entry.flavor).entered += entry.amounts;
  return row;
}

void sample(UsageRows& rows, const UsageRows& running, Instant at, std::int64_t kept) {
  YM_ASSERT(usage_grid(at) == at && kept >= 0 && kept <= kWholePart);
  for (const auto& [name, row] : running) {
    const Instant before{at.ms - kUsageSampling.ms};
    rows.try_emplace(name,
                     Usage{.name = name, .queue = row.queue, .user = row.user, .sampled_at = before, .flavors = {}});
  }
  for (auto& [name, row] : rows) {
    const auto runs = running.find(name);
    if (row.sampled_at < at) sample_row(row, runs == running.end() ? nullptr : &runs->second, at, kept);
  }
  std::erase_if(rows, [](const auto& entry) { return entry.second.flavors.empty(); });
}

std::int64_t kept_part(Duration half_life) {
  YM_ASSERT(half_life >= kUsageSampling);
  const double samples = static_cast<double>(half_life.ms) / static_cast<double>(kUsageSampling.ms);
  return std::llround(std::exp2(-1 / samples) * static_cast<double>(kWholePart));
}

Instant usage_grid(Instant time) { return {time.ms - time.ms % kUsageSampling.ms}; }

std::int64_t fineness(ResourceKind kind) { return kind == ResourceKind::memory ? 1 : kFinePerThousandth; }

ResourceVector fine(const ResourceVector& amounts) {
  ResourceVector result;
  for (std::size_t i = 0; i < kResourceKinds; ++i) result.amounts[i] = amounts.amounts[i] * fineness(resource_kind(i));
  return result;
}

ResourceVector coarse(const ResourceVector& fine_amounts) {
  ResourceVector result;
  for (std::size_t i = 0; i < kResourceKinds; ++i) {
    const std::int64_t one = fineness(resource_kind(i));
    result.amounts[i] = (fine_amounts.amounts[i] + one / 2) / one;
  }
  return result;
}

ResourceVector with_entries(const FlavorUsage& usage, std::int64_t kept) {
  ResourceVector sum = usage.decayed;
  sum += part_of(fine(usage.entered), kWholePart - kept);
  return sum;
}

ResourceVector part_of(const ResourceVector& amounts, std::int64_t part) {
  ResourceVector result;
  for (std::size_t i = 0; i < kResourceKinds; ++i) result.amounts[i] = times(amounts.amounts[i], part);
  return result;
}

}  // namespace ym
