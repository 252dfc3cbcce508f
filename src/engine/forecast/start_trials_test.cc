#include "engine/forecast/start_trials.h"

#include <gtest/gtest.h>

#include "scenario/language/world.h"

namespace ym::engine {
namespace {

using ym::testing::kStart;
using ym::testing::World;

// Each prediction here is a start in ten to twenty minutes.
constexpr PredictedStart kPredicted{
    .median = kStart + minutes(15), .low = kStart + minutes(10), .high = kStart + minutes(20)};

class Trials : public ::testing::Test {
 protected:
  void happens(EventPayload payload, Duration at) {
    trials_.follow({.seq = 1, .time = kStart + at, .payload = std::move(payload)});
  }
  void starts(std::uint64_t job, Duration at) { happens(AttemptStarted{{JobId{job}, 1}}, at); }
  StartMargins margins(const std::string& queue = "q") const {
    const auto all = trials_.margins();
    const auto found = all.find(queue);
    return found == all.end() ? StartMargins{} : found->second;
  }

  StartTrials trials_;
};

TEST_F(Trials, AStartWithinItsRangeMakesItNarrower) {
  trials_.predicted(JobId{1}, "q", kPredicted);
  starts(1, minutes(12));
  EXPECT_EQ(margins(), (StartMargins{.early_milli = 990, .late_milli = 990}));
  EXPECT_EQ(margins("other"), StartMargins{});
}

TEST_F(Trials, AStartThatIsEarlyOrLateMakesItWiderThere) {
  trials_.predicted(JobId{1}, "q", kPredicted);
  trials_.predicted(JobId{2}, "r", kPredicted);
  starts(1, minutes(9));
  EXPECT_EQ(margins(), (StartMargins{.early_milli = 1090, .late_milli = 990}));
  starts(2, minutes(21));
  EXPECT_EQ(margins("r"), (StartMargins{.early_milli = 990, .late_milli = 1090}));
}

// A job that waits for weeks has been late since the first hour.
TEST_F(Trials, AnEndThatHasPassedIsSettled) {
  trials_.predicted(JobId{1}, "q", kPredicted);
  trials_.settle(kStart + minutes(10));
  EXPECT_EQ(margins(), StartMargins{}) << "not yet";
  trials_.settle(kStart + minutes(11));
  EXPECT_EQ(margins(), (StartMargins{.early_milli = 990, .late_milli = 1000}));
  trials_.settle(kStart + minutes(21));
  EXPECT_EQ(margins(), (StartMargins{.early_milli = 990, .late_milli = 1090}));
  starts(1, minutes(25));
  EXPECT_EQ(margins(), (StartMargins{.early_milli = 990, .late_milli = 1090})) << "once is enough";
}

TEST_F(Trials, AnEndThatWasLeftOpenTeachesNothing) {
  PredictedStart open = kPredicted;
  open.high.reset();
  trials_.predicted(JobId{1}, "q", open);
  trials_.predicted(JobId{2}, "q", open);
  trials_.settle(kStart + hours(100));
  EXPECT_EQ(margins(), (StartMargins{.early_milli = 980, .late_milli = 1000}));
}

TEST_F(Trials, AJobThatIsHeldCancelledOrEndsBeforeTeachesNothing) {
  for (std::uint64_t job = 1; job <= 3; ++job) trials_.predicted(JobId{job}, "q", kPredicted);
  happens(JobHeld{JobId{1}}, minutes(1));
  happens(CancelRequested{JobId{2}}, minutes(1));
  happens(JobFinished{.job = JobId{3}, .message = {}}, minutes(1));
  trials_.settle(kStart + hours(1));
  EXPECT_EQ(margins(), StartMargins{});
}

// A forecast takes a while, and describes a time before its end.
TEST_F(Trials, AJobThatStartsWhileAForecastIsMadeIsKnownToHave) {
  trials_.begun();
  starts(1, minutes(2));
  happens(CancelRequested{JobId{2}}, minutes(2));
  for (std::uint64_t job = 1; job <= 2; ++job) trials_.predicted(JobId{job}, "q", kPredicted);
  EXPECT_EQ(margins(), (StartMargins{.early_milli = 1090, .late_milli = 990}));
  trials_.settle(kStart + hours(1));
  EXPECT_EQ(margins(), (StartMargins{.early_milli = 1090, .late_milli = 990})) << "the second never starts";
}

// The newest job of each queue, one a minute; none that starts at once.
TEST_F(Trials, LooksAtTheNewestOfEachQueue) {
  World world;
  world.apply(QueueSet{{.name = "r"}});
  Forecast forecast{.version = 1, .as_of = kStart, .until = kStart + hours(9)};
  for (const char* queue : {"default", "default", "r", "default"}) {
    JobSpec spec;
    spec.queue = queue;
    forecast.starts.emplace(world.submit(spec, kStart), kPredicted);
  }
  const auto ids = [&](std::size_t n) {
    return std::next(forecast.starts.begin(), static_cast<std::ptrdiff_t>(n))->first;
  };
  forecast.starts.at(ids(3)) = {.median = kStart, .low = kStart, .high = kStart};
  const auto start_all = [&] {
    for (std::size_t i = 0; i < 4; ++i) starts(ids(i).value, minutes(12));
  };
  trials_.made(world.state(), forecast);
  trials_.made(world.state(), forecast);
  start_all();
  EXPECT_EQ(margins("default"), (StartMargins{.early_milli = 990, .late_milli = 990})) << "one of three";
  EXPECT_EQ(margins("r"), (StartMargins{.early_milli = 990, .late_milli = 990}));
  forecast.as_of = kStart + minutes(1);
  trials_.made(world.state(), forecast);
  start_all();
  EXPECT_EQ(margins("default").early_milli, 990) << "the first has had its turn";
  forecast.starts.emplace(world.submit({.queue = "default"}, kStart), kPredicted);
  trials_.made(world.state(), forecast);
  starts(ids(4).value, minutes(12));
  EXPECT_EQ(margins("default"), (StartMargins{.early_milli = 980, .late_milli = 980}));
}

}  // namespace
}  // namespace ym::engine
