#include "papers/placement/waste_table.h"

#include <algorithm>

#include "base/assert.h"

namespace ym::sim::placement {
namespace {

std::size_t step_of(std::int64_t part_milli) {
  return static_cast<std::size_t>(std::ranges::upper_bound(WasteTable::kSteps, part_milli) -
                                  WasteTable::kSteps.begin());
}

bool is_for(const std::optional<std::size_t>& step, std::size_t wanted) { return !step || *step == wanted; }

// The more it says of, the later.
std::size_t precision(const WasteTable::Row& row) {
  return (row.cpus ? std::size_t{2} : 0) + (row.memory ? std::size_t{1} : 0);
}

}  // namespace

WasteTable::WasteTable(const Content& content)
    : usual_(content.usual),
      shared_(dense(content.shared, kShares, kMilli / static_cast<std::int64_t>(kShares))),
      whole_(dense(content.whole, kMaxDevicesPerNode + 1, kMilli)),
      type_costs_(content.type_cost_milli) {}

std::vector<std::int64_t> WasteTable::dense(const std::vector<Row>& rows, std::size_t size,
                                            std::int64_t unit_milli) const {
  std::vector<std::int64_t> all(size * kStepCount * kStepCount);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = static_cast<std::int64_t>(i / (kStepCount * kStepCount)) * unit_milli;
  for (std::size_t known = 0; known < 4; ++known)
    for (const Row& row : rows)
      if (precision(row) == known) set(all, row);
  return all;
}

void WasteTable::set(std::vector<std::int64_t>& all, const Row& row) const {
  YM_ASSERT(0 < row.idle && at(static_cast<std::size_t>(row.idle), 0, 0) < all.size());
  for (std::size_t cpus = 0; cpus < kStepCount; ++cpus)
    for (std::size_t memory = 0; memory < kStepCount; ++memory)
      if (is_for(row.cpus, cpus) && is_for(row.memory, memory))
        all[at(static_cast<std::size_t>(row.idle), cpus, memory)] = row.waste_milli;
}

std::int64_t WasteTable::of_shared(std::int64_t free_milli, std::size_t cpus, std::size_t memory) const {
  const std::int64_t unit = kMilli / static_cast<std::int64_t>(kShares);
  return shared_[at(static_cast<std::size_t>(std::clamp<std::int64_t>(free_milli, 0, kMilli - 1) / unit), cpus,
                    memory)];
}

std::int64_t WasteTable::of_whole(std::int64_t devices, std::size_t cpus, std::size_t memory) const {
  return whole_[at(static_cast<std::size_t>(devices), cpus, memory)];
}

std::int64_t WasteTable::type_cost_milli(const std::string& type) const {
  const auto found = type_costs_.find(type);
  return found == type_costs_.end() ? 0 : found->second;
}

std::size_t WasteTable::cpu_step(std::int64_t cpus, std::int64_t idle_milli) const {
  return step_of(static_cast<std::int64_t>(static_cast<__int128>(cpus) * kMilli * kMilli / idle_milli / usual_.cpus));
}

std::size_t WasteTable::memory_step(std::int64_t bytes, std::int64_t idle_milli) const {
  return step_of(
      static_cast<std::int64_t>(static_cast<__int128>(bytes) * kMilli * kMilli / idle_milli / usual_.memory_bytes));
}

}  // namespace ym::sim::placement
