#include "papers/ceiling/ceiling.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "papers/ceiling/room_program.h"
#include "papers/placement/arrivals.h"
#include "papers/placement/fill.h"

namespace ym::sim::placement {
namespace {

std::size_t width(const Guess& guess) { return guess.last - guess.first; }

// The probe whose range is the widest; nothing: all are known.
std::optional<std::size_t> to_halve(const Guesses& guesses) {
  const auto widest = std::ranges::max_element(guesses, {}, width);
  if (widest == guesses.end() || width(*widest) == 0) return std::nullopt;
  return static_cast<std::size_t>(widest - guesses.begin());
}

// Precondition: the probe is not known yet.
std::array<Guesses, 2> halves_of(const Guesses& guesses, std::size_t probe) {
  std::array<Guesses, 2> halves{guesses, guesses};
  const std::size_t middle = guesses[probe].first + width(guesses[probe]) / 2;
  halves[0][probe].last = middle;
  halves[1][probe].first = middle + 1;
  return halves;
}

template <class Among>
std::optional<ShapeId> commonest(const PodList& list, Among among) {
  std::optional<ShapeId> best;
  for (ShapeId i = 0; i < list.shapes.size(); ++i)
    if (among(list.shapes[i]) && (!best || list.count[i] > list.count[*best])) best = i;
  return best;
}

}  // namespace

std::vector<ShapeId> usual_probes(const PodList& list) {
  std::vector<ShapeId> probes;
  for (const PodClass pods : {PodClass::large_share, PodClass::one_gpu})
    if (const auto found = commonest(list, [&](const Shape& shape) { return class_of(shape) == pods; }))
      probes.push_back(*found);
  if (!probes.empty()) return probes;
  if (const auto found = commonest(list, [](const Shape& shape) { return shape.gpus > 0; })) probes.push_back(*found);
  return probes;
}

Ceiling::Ceiling(const PodList& list, const Fleet& fleet, CeilingOptions options)
    : list_(list), options_(std::move(options)), capacity_milli_(fleet.capacity_milli()), solver_(LinearProgram{}) {
  YM_ASSERT(capacity_milli_ > 0);
  if (options_.probes.empty()) options_.probes = usual_probes(list);
  auto room = room_program(list, fleet, options_.cuts);
  shape_row_ = std::move(room.shape_row);
  solver_ = LinearSolver(std::move(room.program));
}

std::span<const ShapeId> Ceiling::counted(std::span<const ShapeId> arrivals) const {
  std::int64_t arrived = 0;
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    arrived += list_.shapes[arrivals[i]].total_milli();
    if ((arrived * 200 + capacity_milli_) / (2 * capacity_milli_) > options_.at_percent) return arrivals.first(i);
  }
  return arrivals;
}

Result<void> Ceiling::add(std::vector<Range>& ranges, const Refusals& refusals, Guesses guesses) {
  const auto placed = refusals.placed(guesses);
  if (!placed) return {};
  for (std::size_t i = 0; i < shape_row_.size(); ++i) solver_.set_row(shape_row_[i], (*placed)[i]);
  const auto most = solver_.maximise();
  if (!most) return std::unexpected(most.error());
  if (*most) ranges.push_back({.guesses = std::move(guesses), .allocated_milli = **most});
  return {};
}

Result<double> Ceiling::highest(const Refusals& refusals) {
  std::vector<Range> ranges;
  if (auto added = add(ranges, refusals, refusals.all()); !added) return std::unexpected(added.error());
  for (std::int64_t solved = 1;; solved += 2) {
    if (ranges.empty()) return fail(ErrorCode::internal, "no number of pods is possible");
    const auto top = std::ranges::max_element(ranges, {}, &Range::allocated_milli);
    const auto probe = to_halve(top->guesses);
    if (!probe || solved + 2 > options_.most_programs) return top->allocated_milli;
    const auto halves = halves_of(top->guesses, *probe);
    ranges.erase(top);
    for (const Guesses& half : halves)
      if (auto added = add(ranges, refusals, half); !added) return std::unexpected(added.error());
  }
}

Result<double> Ceiling::of(std::span<const ShapeId> arrivals) {
  const Refusals refusals(list_, counted(arrivals), options_.probes);
  const auto allocated = highest(refusals);
  if (!allocated) return std::unexpected(allocated.error());
  return 100 * *allocated / static_cast<double>(capacity_milli_);
}

Result<double> ceiling(const PodList& list, const Fleet& fleet, std::span<const ShapeId> arrivals,
                       const CeilingOptions& options) {
  return Ceiling(list, fleet, options).of(arrivals);
}

Result<Spread> ceiling_of_seeds(const PodList& list, const Fleet& fleet, std::uint64_t first_seed, std::int64_t seeds,
                                const CeilingOptions& options) {
  Ceiling ceiling(list, fleet, options);
  std::vector<double> all;
  for (std::uint64_t seed = first_seed; std::cmp_less(all.size(), seeds); ++seed) {
    const auto one = ceiling.of(arrivals_of(list, {.capacity_milli = fleet.capacity_milli()}, seed));
    if (!one) return std::unexpected(one.error());
    all.push_back(*one);
  }
  return spread_of(all);
}

}  // namespace ym::sim::placement
