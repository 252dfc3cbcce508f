// Linear programs: the only place that knows which solver there is (COIN-OR Clp, by the dual simplex).
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"

namespace ym::sim::placement {

struct Bounds {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};

// Maximise the sum of gain times column, where each column, and each row's sum of entry times column, is in its bounds.
struct LinearProgram {
  struct Column {
    double gain = 0;
    Bounds bounds{};
  };
  struct Entry {
    std::size_t row = 0, column = 0;
    double value = 0;
  };
  std::vector<Column> columns;
  std::vector<Bounds> rows;
  std::vector<Entry> entries{};  // one at most for each row and column

  std::size_t add_column(double gain, Bounds bounds);
  std::size_t add_row(Bounds bounds);
};

// Solves a program that has some entry, again and again with other bounds of its rows, each time from where it stopped.
class LinearSolver {
 public:
  explicit LinearSolver(LinearProgram program);
  ~LinearSolver();
  LinearSolver(LinearSolver&&) noexcept;
  LinearSolver& operator=(LinearSolver&&) noexcept;

  void set_row(std::size_t row, Bounds bounds);

  // The maximum; nothing: no columns are within all bounds. `internal`: the solver found neither, or what it found is
  // no proof. The figure is worked out here from the solver's dual values: whatever these are, weak duality makes it no
  // less than the maximum, to the rounding of a sum. So a bound does not rest on the solver's tolerances.
  // Precondition: columns have finite bounds.
  Result<std::optional<double>> maximise();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ym::sim::placement
