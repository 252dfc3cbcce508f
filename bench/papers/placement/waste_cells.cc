#include "papers/placement/waste_cells.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace ym::sim::placement {
namespace {

constexpr std::size_t kSteps = WasteTable::kStepCount;
constexpr std::size_t kStates = kSteps * kSteps;  // of what goes with an amount of idle GPUs
constexpr std::int32_t kHundredth = kWholeGpu / 100;
constexpr std::size_t kShares = 100;
constexpr std::size_t kFirstWhole = kShares * kStates;
constexpr std::size_t kCells = kFirstWhole + (kMostGpus + 1) * kStates;

std::size_t step_of(std::int64_t left, std::int64_t idle_milli, std::int64_t usual) {
  const std::int64_t part = left * 1000 * 1000 / (idle_milli * usual);
  return static_cast<std::size_t>(std::ranges::upper_bound(WasteTable::kSteps, part) - WasteTable::kSteps.begin());
}

WasteTable::Row row_of(std::int64_t idle, std::optional<std::size_t> cpus, std::optional<std::size_t> memory,
                       double waste) {
  return {.idle = idle, .cpus = cpus, .memory = memory, .waste_milli = std::llround(waste)};
}

}  // namespace

Steps steps_of(const Room& room, std::int32_t idle_milli) {
  constexpr std::int64_t kUsualCpuMilli = 12'000, kUsualMemoryMib = 46'000;
  return {.cpus = step_of(room.cpu_milli, idle_milli, kUsualCpuMilli),
          .memory = step_of(room.memory_mib, idle_milli, kUsualMemoryMib)};
}

WasteCells::WasteCells() : sums_(kCells) {}

std::vector<IdlePart> WasteCells::parts_of(const Room& room) {
  std::vector<IdlePart> parts;
  const std::int32_t idle = room.idle_milli();
  if (idle == 0) return parts;
  const Steps steps = steps_of(room, idle);
  const std::size_t state = steps.cpus * kSteps + steps.memory;
  unsigned whole = 0;
  for (std::size_t i = 0; i < kMostGpus; ++i) {
    if (room.free[i] == kWholeGpu) whole |= 1U << i;
    else if (room.free[i] >= kHundredth)
      parts.push_back({.cell = static_cast<std::size_t>(room.free[i] / kHundredth) * kStates + state,
                       .gpus = static_cast<GpuMask>(1U << i)});
  }
  const auto count = static_cast<std::size_t>(std::popcount(whole));
  if (count > 0) parts.push_back({.cell = kFirstWhole + count * kStates + state, .gpus = static_cast<GpuMask>(whole)});
  return parts;
}

WasteCells::Sum& WasteCells::Sum::operator+=(const Sum& other) {
  visits += other.visits;
  waste_milli += other.waste_milli;
  return *this;
}

double WasteCells::Sum::mean(double prior, double pseudo_visits) const {
  return (waste_milli + prior * pseudo_visits) / (visits + pseudo_visits);
}

void WasteCells::add(std::size_t cell, std::int64_t waste_milli) {
  sums_[cell] += {.visits = 1, .waste_milli = static_cast<double>(waste_milli)};
}

void WasteCells::fade(double factor) {
  for (Sum& sum : sums_) sum = {.visits = sum.visits * factor, .waste_milli = sum.waste_milli * factor};
}

void WasteCells::add_rows_of(std::vector<WasteTable::Row>& rows, std::size_t first, std::int64_t idle, double prior,
                             const CellOptions& options) const {
  std::array<Sum, kSteps> by_cpus;
  Sum all;
  for (std::size_t i = 0; i < kStates; ++i) by_cpus[i / kSteps] += sums_[first + i];
  for (const Sum& sum : by_cpus) all += sum;
  if (all.visits == 0) return;
  const double mean = all.mean(prior, options.pseudo_visits);
  rows.push_back(row_of(idle, std::nullopt, std::nullopt, mean));
  for (std::size_t cpus = 0; cpus < kSteps; ++cpus) {
    if (by_cpus[cpus].visits == 0) continue;
    const double own = by_cpus[cpus].mean(mean, options.pseudo_visits);
    rows.push_back(row_of(idle, cpus, std::nullopt, own));
    for (std::size_t memory = 0; memory < kSteps; ++memory) {
      const Sum& sum = sums_[first + cpus * kSteps + memory];
      if (sum.visits > 0) rows.push_back(row_of(idle, cpus, memory, sum.mean(own, options.pseudo_visits)));
    }
  }
}

void WasteCells::add_rows(std::vector<WasteTable::Row>& rows, std::size_t first, std::int64_t idle_from,
                          std::int64_t idle_to, std::int64_t unit_milli, const CellOptions& options) const {
  double waste = 0, idle_sum = 0;
  for (std::int64_t idle = idle_from; idle <= idle_to; ++idle) {
    for (std::size_t i = 0; i < kStates; ++i) {
      const Sum& sum = sums_[first + static_cast<std::size_t>(idle) * kStates + i];
      waste += sum.waste_milli;
      idle_sum += sum.visits * static_cast<double>(idle * unit_milli);
    }
  }
  const double part = idle_sum > 0 ? waste / idle_sum : 1;
  for (std::int64_t idle = idle_from; idle <= idle_to; ++idle)
    add_rows_of(rows, first + static_cast<std::size_t>(idle) * kStates, idle,
                part * static_cast<double>(idle * unit_milli), options);
}

WasteTable::Content WasteCells::content(const CellOptions& options) const {
  WasteTable::Content content;
  add_rows(content.shared, 0, 1, kShares - 1, kHundredth, options);
  add_rows(content.whole, kFirstWhole, 1, kMostGpus, kWholeGpu, options);
  return content;
}

}  // namespace ym::sim::placement
