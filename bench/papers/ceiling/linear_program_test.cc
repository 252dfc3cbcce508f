#include "papers/ceiling/linear_program.h"

#include <gtest/gtest.h>

namespace ym::sim::placement {
namespace {

constexpr double kNear = 1e-6;

// 3x + 5y with x <= 4, 2y <= 12, 3x + 2y <= 18: the textbooks' factory.
LinearProgram factory() {
  LinearProgram program;
  const auto x = program.add_column(3, {.least = 0, .most = 4});
  const auto y = program.add_column(5, {.least = 0, .most = 100});
  const auto second = program.add_row({.most = 12});
  const auto third = program.add_row({.most = 18});
  program.entries = {{second, y, 2}, {third, x, 3}, {third, y, 2}};
  return program;
}

double maximum(LinearSolver& solver) {
  const auto found = solver.maximise();
  EXPECT_TRUE(found && *found);
  return found && *found ? **found : -1;
}

TEST(LinearProgram, FindsTheKnownMaximum) {
  LinearSolver solver(factory());
  EXPECT_NEAR(maximum(solver), 36, kNear);
}

TEST(LinearProgram, IsSolvedAgainWithOtherRows) {
  LinearSolver solver(factory());
  EXPECT_NEAR(maximum(solver), 36, kNear);
  solver.set_row(1, {.least = 0, .most = 12});
  EXPECT_NEAR(maximum(solver), 30, kNear);
  solver.set_row(0, {.least = 0, .most = 6});
  EXPECT_NEAR(maximum(solver), 21, kNear);
  solver.set_row(0, {.least = 0, .most = 12});
  solver.set_row(1, {.least = 0, .most = 18});
  EXPECT_NEAR(maximum(solver), 36, kNear);
}

TEST(LinearProgram, RowsHaveALeast) {
  LinearProgram program;
  const auto x = program.add_column(-2, {.least = 0, .most = 10});
  const auto y = program.add_column(-3, {.least = 1, .most = 10});
  const auto row = program.add_row({.least = 4});
  program.entries = {{row, x, 1}, {row, y, 1}};
  LinearSolver solver(std::move(program));
  EXPECT_NEAR(maximum(solver), -9, kNear);
}

TEST(LinearProgram, ARowMayBeFixed) {
  LinearProgram program;
  const auto x = program.add_column(1, {.least = 0, .most = 3});
  const auto y = program.add_column(2, {.least = -5, .most = 5});
  const auto row = program.add_row({.least = 2, .most = 2});
  program.entries = {{row, x, 1}, {row, y, 1}};
  LinearSolver solver(std::move(program));
  EXPECT_NEAR(maximum(solver), 4, kNear);
}

TEST(LinearProgram, SaysThatNothingIsWithinTheBounds) {
  LinearSolver solver(factory());
  solver.set_row(1, {.least = 25, .most = 30});
  const auto none = solver.maximise();
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_FALSE(*none);
  solver.set_row(1, {.least = 24, .most = 30});
  EXPECT_NEAR(maximum(solver), 42, kNear) << "x = 4 and y = 6 are just enough";
}

TEST(LinearProgram, MayHaveRowsOfNothing) {
  LinearProgram program = factory();
  const auto row = program.add_row({.least = 0, .most = 2});
  LinearSolver solver(std::move(program));
  EXPECT_NEAR(maximum(solver), 36, kNear);
  solver.set_row(row, {.least = 1, .most = 2});
  const auto none = solver.maximise();
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_FALSE(*none);
}

}  // namespace
}  // namespace ym::sim::placement
