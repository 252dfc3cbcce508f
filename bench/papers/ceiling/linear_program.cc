#include "papers/ceiling/linear_program.h"

#include <algorithm>
#include <cmath>
#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <utility>

#include "base/assert.h"

namespace ym::sim::placement {
namespace {

// Clp has its own infinity.
double most_of(double bound) { return std::min(bound, COIN_DBL_MAX); }
double least_of(double bound) { return std::max(bound, -COIN_DBL_MAX); }

// The most that price times a value within the bounds can be.
double most_worth(double price, const Bounds& bounds) {
  if (price == 0) return 0;
  return price * (price > 0 ? bounds.most : bounds.least);
}

CoinPackedMatrix matrix_of(const LinearProgram& program) {
  std::vector<int> rows, columns;
  std::vector<double> values;
  for (const auto& entry : program.entries) {
    rows.push_back(static_cast<int>(entry.row));
    columns.push_back(static_cast<int>(entry.column));
    values.push_back(entry.value);
  }
  CoinPackedMatrix matrix(true, rows.data(), columns.data(), values.data(), static_cast<CoinBigIndex>(values.size()));
  matrix.setDimensions(static_cast<int>(program.rows.size()), static_cast<int>(program.columns.size()));
  return matrix;
}

}  // namespace

std::size_t LinearProgram::add_column(double gain, Bounds bounds) {
  columns.push_back({.gain = gain, .bounds = bounds});
  return columns.size() - 1;
}

std::size_t LinearProgram::add_row(Bounds bounds) {
  rows.push_back(bounds);
  return rows.size() - 1;
}

class LinearSolver::Impl {
 public:
  explicit Impl(LinearProgram program) : program_(std::move(program)) {
    std::vector<double> least, most, gains, row_least, row_most;
    for (const auto& column : program_.columns) {
      least.push_back(least_of(column.bounds.least));
      most.push_back(most_of(column.bounds.most));
      gains.push_back(column.gain);
    }
    for (const Bounds& row : program_.rows) {
      row_least.push_back(least_of(row.least));
      row_most.push_back(most_of(row.most));
    }
    clp_.setLogLevel(0);
    clp_.loadProblem(matrix_of(program_), least.data(), most.data(), gains.data(), row_least.data(), row_most.data());
    clp_.setOptimizationDirection(-1);
  }

  void set_row(std::size_t row, Bounds bounds) {
    YM_ASSERT(row < program_.rows.size());
    program_.rows[row] = bounds;
    clp_.setRowBounds(static_cast<int>(row), least_of(bounds.least), most_of(bounds.most));
  }

  Result<std::optional<double>> maximise() {
    clp_.dual();
    if (clp_.isProvenOptimal()) return most_by(prices(clp_.getRowPrice(), 1), 1);
    if (clp_.isProvenPrimalInfeasible() && nothing_is_feasible()) return std::nullopt;
    return fail(ErrorCode::internal, "the solver of linear programs did not find a maximum");
  }

 private:
  // Those that are rounding, of the side of a row that has no bound, are left out: any prices make a proof.
  std::vector<double> prices(const double* values, double factor) const {
    std::vector<double> prices(program_.rows.size());
    for (std::size_t i = 0; i < prices.size(); ++i) {
      const double price = values[i] * factor;
      if (std::isfinite(most_worth(price, program_.rows[i]))) prices[i] = price;
    }
    return prices;
  }

  // No columns within the bounds are worth more: gains' x = prices' A x + (gains' - prices' A) x.
  double most_by(const std::vector<double>& prices, double gains) const {
    std::vector<double> rest;
    for (const auto& column : program_.columns) rest.push_back(gains * column.gain);
    for (const auto& entry : program_.entries) rest[entry.column] -= prices[entry.row] * entry.value;
    double sum = 0;
    for (std::size_t i = 0; i < prices.size(); ++i) sum += most_worth(prices[i], program_.rows[i]);
    for (std::size_t i = 0; i < rest.size(); ++i) sum += most_worth(rest[i], program_.columns[i].bounds);
    return sum;
  }

  // By Farkas: nothing can be worth less than 0 at gains of 0.
  bool nothing_is_feasible() {
    const std::unique_ptr<double[]> ray(clp_.infeasibilityRay());
    if (!ray) return false;
    return most_by(prices(ray.get(), 1), 0) < 0 || most_by(prices(ray.get(), -1), 0) < 0;
  }

  LinearProgram program_;
  ClpSimplex clp_;
};

LinearSolver::LinearSolver(LinearProgram program) : impl_(std::make_unique<Impl>(std::move(program))) {}
LinearSolver::~LinearSolver() = default;
LinearSolver::LinearSolver(LinearSolver&&) noexcept = default;
LinearSolver& LinearSolver::operator=(LinearSolver&&) noexcept = default;

void LinearSolver::set_row(std::size_t row, Bounds bounds) { impl_->set_row(row, bounds); }

Result<std::optional<double>> LinearSolver::maximise() { return impl_->maximise(); }

}  // namespace ym::sim::placement
