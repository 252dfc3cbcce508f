// What no policy can allocate more than, of those that place whatever fits, while nobody leaves (fill.h).
//
// Which pod of some shapes, the probes, is the first that is refused is guessed: by ranges at first, then by halves of
// the range with the highest ceiling, until this is one guess. For each the linear program of room_program.h is solved
// with what refusals.h says of the guess. The highest maximum of all ranges is the ceiling.
//
// Why it is a bound. In a run each probe has one first refusal, or none; the ranges are a partition of all that there
// can be, whenever it is looked at, so that one of them has the run's. How many pods of each shape the run placed is
// within that range's bounds (refusals.h); where it placed them is a solution of the program (room_program.h), whose
// maximum is therefore no less than the GPUs of these pods. That maxima are not too low: linear_program.h. What is
// allocated only grows, so it is a bound of means over the arrivals that round to `at_percent`, too. Compare with a
// slack of 1e-9, for the rounding of sums.
//
// Where it is loose: see room_program.h; besides, shapes that no probe says anything of are placed or not as it pleases
// the program, and nothing says how nodes get so full that a probe fits nowhere.
//
// It does not hold for policies that decline pods which fit: these can allocate more, by serving fewer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "papers/ceiling/cuts.h"
#include "papers/ceiling/refusals.h"
#include "papers/placement/spread.h"
#include "papers/placement/traces.h"

namespace ym::sim::placement {

struct CeilingOptions {
  std::int64_t at_percent = 130;    // what has arrived, of the capacity, rounded to whole percents
  std::vector<ShapeId> probes{};    // none: usual_probes
  std::int64_t most_programs = 60;  // to solve for a run: with fewer the ceiling is higher
  CutOptions cuts{};
};

// The commonest share of 0.8 of a GPU or more and the commonest pod with one GPU, since what asks for as much is most
// of the list; where there are none, the commonest pod with GPUs.
std::vector<ShapeId> usual_probes(const PodList& list);

// Of one list and fleet, for run after run.
class Ceiling {
 public:
  // A view of the list, which must not change. Precondition: the fleet has GPUs.
  Ceiling(const PodList& list, const Fleet& fleet, CeilingOptions options = {});

  // Allocated GPUs in % of all. Deterministic: the same calls in the same order give the same. `internal`: the solver
  // failed.
  Result<double> of(std::span<const ShapeId> arrivals);

 private:
  struct Range {
    Guesses guesses;
    double allocated_milli = 0;
  };

  std::span<const ShapeId> counted(std::span<const ShapeId> arrivals) const;
  Result<void> add(std::vector<Range>& ranges, const Refusals& refusals, Guesses guesses);
  Result<double> highest(const Refusals& refusals);

  const PodList& list_;
  CeilingOptions options_;
  std::int64_t capacity_milli_;
  std::vector<std::size_t> shape_row_;
  LinearSolver solver_;
};

// Of one run.
Result<double> ceiling(const PodList& list, const Fleet& fleet, std::span<const ShapeId> arrivals,
                       const CeilingOptions& options = {});

// Over the runs of the table (arrivals.h), with as many seeds from the first on.
Result<Spread> ceiling_of_seeds(const PodList& list, const Fleet& fleet, std::uint64_t first_seed, std::int64_t seeds,
                                const CeilingOptions& options = {});

}  // namespace ym::sim::placement
