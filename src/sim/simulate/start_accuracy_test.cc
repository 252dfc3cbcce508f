#include "sim/simulate/start_accuracy.h"

#include <gtest/gtest.h>

namespace ym::sim {
namespace {

constexpr Instant kAccuracyBegin{1'000'000'000};

// A forecast `since` after the beginning: a start in half an hour to two hours, most likely in one hour.
StartForecast made_at(Duration since, std::int64_t late_milli, std::optional<Duration> wait) {
  const Instant as_of = kAccuracyBegin + since;
  StartForecast one{
      .queue = "q",
      .foreseen =
          engine::PredictedStart{.median = as_of + hours(1), .low = as_of + minutes(30), .high = as_of + hours(2)},
      .none = {},
      .started_at = {}};
  one.made = {.as_of = as_of, .until = as_of + hours(9), .start_allowance = minutes(1)};
  one.made.margins["q"].late_milli = late_milli;
  if (wait) one.started_at = as_of + *wait;
  return one;
}

TEST(StartAccuracy, CountsTheLaterHalfByWhatWasKnownThen) {
  std::vector<StartForecast> forecasts{made_at(hours(0), 1'000, minutes(1)), made_at(hours(1), 1'000, hours(9)),
                                       made_at(hours(2), 2'000, minutes(45)), made_at(hours(3), 1'500, minutes(200))};
  StartForecast none{.queue = "q", .foreseen = {}, .none = engine::NoStart::no_time_limit, .started_at = {}};
  forecasts.insert(forecasts.begin(), none);
  const auto accuracy = accuracy_of(forecasts);
  EXPECT_EQ(accuracy.made, 5);
  EXPECT_EQ(accuracy.ahead, 4);
  EXPECT_EQ(accuracy.none.at(engine::NoStart::no_time_limit), 1);
  // The last job started after 200 minutes. The forecast was two hours at most; with the margins at that time half as
  // much more, with those of the first half twice as much more.
  EXPECT_EQ(accuracy.plain.inside, 1);
  EXPECT_EQ(accuracy.plain.late, 1);
  EXPECT_EQ(accuracy.predicted.inside, 1);
  EXPECT_EQ(accuracy.predicted.late, 1);
  EXPECT_EQ(accuracy.learnt_before.inside, 2);
  EXPECT_EQ(accuracy.predicted_by_wait.at(7'200).jobs(), 2);
  EXPECT_EQ(accuracy.errors_milli.quantile(0), 333) << "a quarter of an hour of 45 minutes";
  EXPECT_EQ(accuracy.errors_milli.quantile(1), 700) << "140 minutes of 200";
  EXPECT_EQ(accuracy.margins.at("q").late_milli, 1'500);
}

TEST(StartAccuracy, LeavesOutJobsThatHaveNotStartedOrWereToStartAtOnce) {
  std::vector<StartForecast> forecasts{made_at(hours(0), 1'000, minutes(1)), made_at(hours(1), 1'000, {})};
  forecasts.push_back(made_at(hours(2), 1'000, minutes(1)));
  forecasts.back().foreseen->median = forecasts.back().made.as_of;
  const auto accuracy = accuracy_of(forecasts);
  EXPECT_EQ(accuracy.ahead, 2);
  EXPECT_EQ(accuracy.waiting, 1);
  EXPECT_EQ(accuracy.predicted.jobs(), 0);
  EXPECT_EQ(accuracy_of({}).made, 0);
}

TEST(StartAccuracy, AnOpenRangeHasNoWidth) {
  RangeFigures figures;
  engine::PredictedStart predicted{
      .median = kAccuracyBegin + minutes(10), .low = kAccuracyBegin + minutes(5), .high = {}};
  figures.add(predicted, kAccuracyBegin, kAccuracyBegin + hours(100));
  figures.add(predicted, kAccuracyBegin, kAccuracyBegin + minutes(1));
  predicted.high = kAccuracyBegin + minutes(20);
  figures.add(predicted, kAccuracyBegin, kAccuracyBegin + minutes(20));
  EXPECT_EQ(figures.inside, 2);
  EXPECT_EQ(figures.early, 1);
  EXPECT_EQ(figures.open, 2);
  EXPECT_EQ(figures.widths_ms.count(), 1);
  EXPECT_EQ(figures.widths_milli.quantile(0.5), 1'500);
}

}  // namespace
}  // namespace ym::sim
