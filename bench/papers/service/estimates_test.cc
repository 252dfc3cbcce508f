// What is believed of run times: octaves, what ended, siblings, declarations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "papers/service/declared.h"
#include "papers/service/estimator.h"

namespace ym::sim::service {
namespace {

double sum(const Masses& masses) { return std::accumulate(masses.begin(), masses.end(), 0.0); }

TEST(ServiceOctaves, BeginWhereTheOneBeforeEnds) {
  EXPECT_EQ(octave_of(0), 0U);
  EXPECT_EQ(octave_of(8 * kSecond - 1), 0U);
  EXPECT_EQ(octave_of(8 * kSecond), 1U);
  EXPECT_EQ(octave_of(16 * kSecond), 2U);
  EXPECT_EQ(octave_of(kNever), kOctaves - 1);
}

TEST(ServiceOctaves, TheRateIsThatOfTheBestStretch) {
  Masses masses{};
  masses[0] = 1;
  EXPECT_DOUBLE_EQ(completion_rate(masses, 0), 1.0 / 4);
  EXPECT_LT(completion_rate(masses, 1), 1e-9);
  masses[0] = masses[1] = 0.5;
  // In the first octave 0.5 in 6 s, in both 1 in 8 s.
  EXPECT_DOUBLE_EQ(completion_rate(masses, 0), 1.0 / 8);
  EXPECT_DOUBLE_EQ(completion_rate(masses, 1), 1.0 / 4);
}

TEST(ServiceRunTimes, StartFromAHazardThatIsTheSameInEachOctave) {
  const RunTimes run_times;
  const Masses& masses = run_times.masses(4);
  EXPECT_NEAR(masses[0], 0.15, 1e-12);
  EXPECT_NEAR(masses[1], 0.15 * 0.85, 1e-12);
  EXPECT_NEAR(sum(masses), 1, 1e-12);
}

TEST(ServiceRunTimes, LearnOfTheirOwnGpuCountMost) {
  RunTimes run_times;
  for (int i = 0; i < 100; ++i) {
    for (Octave octave = 0; octave < 5; ++octave) run_times.add_outlived(8, octave);
    run_times.add_ended(8, 5);
  }
  EXPECT_NEAR(run_times.masses(8)[0], 0.15, 1e-12);  // not yet
  run_times.fit();
  EXPECT_LT(run_times.masses(8)[0], 0.01);
  EXPECT_GT(run_times.masses(8)[5], 0.9);
  EXPECT_NEAR(sum(run_times.masses(8)), 1, 1e-12);
  for (int i = 0; i < 20; ++i) run_times.add_ended(1, 0);
  run_times.fit();
  EXPECT_GT(run_times.masses(1)[0], run_times.masses(2)[0]);
  EXPECT_GT(run_times.masses(2)[0], run_times.masses(8)[0]);
}

TEST(ServiceSiblings, AreBelievedAsOftenAsTheyWereAlike) {
  Alikeness alikeness;
  EXPECT_NEAR(alikeness.chance(0), 0.40, 1e-12);
  EXPECT_GT(alikeness.chance(59 * kSecond), alikeness.chance(60 * kSecond));
  EXPECT_DOUBLE_EQ(alikeness.chance(86'400 * kSecond), 0);
  for (int i = 0; i < 50; ++i) alikeness.add_pair(0, 100 * kSecond, 114 * kSecond);
  EXPECT_NEAR(alikeness.chance(0), 72.5 / 100 - 0.05, 1e-12);
  for (int i = 0; i < 900; ++i) alikeness.add_pair(0, 116 * kSecond, 100 * kSecond);
  EXPECT_NEAR(alikeness.chance(0), 72.5 / 1000 - 0.05, 1e-12);
}

TEST(ServiceSiblings, ShareTheMassThatTheyAreBelieved) {
  Masses masses{};
  masses[10] = 1;
  EXPECT_EQ(with_siblings(masses, {}), masses);
  const std::vector<EndedSibling> siblings{{.chance = 0.4, .octave = 3}};
  const Masses mixed = with_siblings(masses, siblings);
  EXPECT_NEAR(mixed[10], 0.6, 1e-12);
  EXPECT_NEAR(mixed[3], 0.4 * 0.7, 1e-12);
  EXPECT_NEAR(mixed[2], 0.4 * 0.15, 1e-12);
  EXPECT_NEAR(mixed[4], 0.4 * 0.15, 1e-12);
  const std::vector<EndedSibling> at_the_edges{{.chance = 0.5, .octave = 0}, {.chance = 0.5, .octave = kOctaves - 1}};
  EXPECT_NEAR(sum(with_siblings(masses, at_the_edges)), 1, 1e-12);
  EXPECT_NEAR(with_siblings(masses, at_the_edges)[10], 0.25, 1e-12);
}

TEST(ServiceEstimator, RatesFallOctaveByOctave) {
  Estimator estimator;
  estimator.submit(1, 0);
  // The second octave is as long as the first; from then on each is twice as long as the one before.
  estimator.outlive(0, 8 * kSecond);
  for (int i = 0; i < 10; ++i) {
    const double before = estimator.rate(0, 0);
    estimator.outlive(0, *estimator.next_change_us(0));
    EXPECT_NEAR(estimator.rate(0, 0), before / 2, before / 1000);
  }
}

TEST(ServiceEstimator, NothingChangesInTheLastOctave) {
  Estimator estimator;
  estimator.submit(1, 0);
  int changes = 0;
  for (; estimator.next_change_us(0); ++changes) estimator.outlive(0, *estimator.next_change_us(0));
  EXPECT_EQ(changes, 22);
  EXPECT_GT(estimator.rate(0, 0), 0);
}

TEST(ServiceEstimator, ASiblingThatEndedSoonMakesOneMoreLikelyTo) {
  Estimator estimator;
  estimator.submit(1, 0);
  estimator.submit(1, 10 * kSecond);
  estimator.submit(1, 100'000 * kSecond);
  estimator.end(0, 5 * kSecond);
  EXPECT_GT(estimator.rate(1, 0), 1.3 * estimator.rate(2, 0));
}

TEST(ServiceEstimator, ASiblingOfAnotherSizeIsNone) {
  Estimator estimator;
  estimator.submit(1, 0);
  estimator.submit(2, 0);
  estimator.submit(2, 200'000 * kSecond);
  estimator.end(0, 5 * kSecond);
  EXPECT_DOUBLE_EQ(estimator.rate(1, 0), estimator.rate(2, 0));
}

TEST(ServiceEstimator, ThoseThatStillRunCount) {
  Estimator with, without;
  for (int i = 0; i < 20; ++i) {
    with.submit(1, i * 200'000 * kSecond);
    without.submit(1, i * 200'000 * kSecond);
  }
  for (JobNumber job = 1; job < 19; ++job) with.outlive(job, 10'000 * kSecond);
  with.end(0, 5 * kSecond);
  without.end(0, 5 * kSecond);
  EXPECT_LT(with.rate(19, 0), without.rate(19, 0));
}

TEST(ServiceEstimator, OfEqualOnesTheFurtherIsFirst) {
  Estimator estimator;
  estimator.submit(1, 0);
  estimator.submit(1, 0);
  EXPECT_GT(estimator.rate(1, 4 * kSecond), estimator.rate(0, 0));
  EXPECT_NEAR(estimator.rate(1, 4 * kSecond) / estimator.rate(0, 0), 1, 1e-6);
}

TEST(ServiceDeclared, IsDoubledWhenOutlived) {
  EXPECT_DOUBLE_EQ(declared_left_us(100, 30), 70);
  EXPECT_DOUBLE_EQ(declared_left_us(100, 100), 100);
  EXPECT_DOUBLE_EQ(declared_left_us(100, 500), 300);
  EXPECT_EQ(declared_outlived_in_us(100.5, 30), 71);
}

TEST(ServiceDeclared, ARunningJobIsBeforeAnEqualThatWouldHaveToStart) {
  const auto hour_us = static_cast<double>(3600 * kSecond);
  EXPECT_DOUBLE_EQ(declared_rate(hour_us, 0, 0), 1.0 / 3600);
  EXPECT_LT(declared_rate(hour_us, 0, 10 * kSecond), declared_rate(hour_us, 0, 0));
}

}  // namespace
}  // namespace ym::sim::service
