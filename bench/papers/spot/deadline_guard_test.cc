#include "papers/spot/deadline_guard.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "papers/spot/simulate.h"

namespace ym::sim::spot {
namespace {

// Wants anything at all.
class Wild : public Policy {
 public:
  explicit Wild(Random& random) : random_(random), habit_(random.below(4)) {}

  Place decide(const Job& job, const JobState& state, const View& view) override {
    return guarded(job, state, wanted(state, view), view.tick_ms);
  }

 private:
  Place wanted(const JobState& state, const View& view) {
    std::vector<Place> places{kIdle, kOnDemand};
    for (std::size_t zone = 0; zone < view.zones(); ++zone)
      if (view.up(zone)) places.push_back(on_spot(zone));
    if (habit_ == 1) return kIdle;
    if (habit_ == 2) return places.back();
    if (habit_ == 3 && state.place != kIdle && random_.below(4) > 0) return state.place;
    return places[random_.below(places.size())];
  }

  Random& random_;
  std::uint64_t habit_;
};

std::int64_t drawn(Random& random, std::int64_t most) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most)));
}

// Every third without any slack but for one start.
Job drawn_job(Random& random) {
  Job job{.work_ms = 1 + drawn(random, 20 * kHourMs), .start_ms = 1 + drawn(random, 3'000'000)};
  job.deadline_ms = job.work_ms + job.start_ms + (random.below(3) > 0 ? drawn(random, 5 * kHourMs) : 0);
  return job;
}

// Ticks of seconds to half an hour.
Market drawn_market(Random& random, const Job& job) {
  Market market{.name = "a", .tick_ms = 1000 * (10 + drawn(random, 2000)), .nodes = {}};
  const auto ticks = static_cast<std::size_t>(job.deadline_ms / market.tick_ms + 2);
  const std::uint64_t swing = 1 + random.below(20);
  for (std::uint64_t zones = 1 + random.below(3); zones > 0; --zones) {
    std::vector<int>& nodes = market.nodes.emplace_back();
    int up = static_cast<int>(random.below(2));
    for (std::size_t tick = 0; tick < ticks; ++tick) {
      if (random.below(swing) == 0) up = 1 - up;
      nodes.push_back(up);
    }
  }
  return market;
}

TEST(DeadlineGuard, NoJobIsLateWhateverIsWanted) {
  Random random(7);
  for (int round = 0; round < 4000; ++round) {
    const Job job = drawn_job(random);
    const Market market = drawn_market(random, job);
    Wild policy(random);
    const Bill bill = run(job, market, 0, policy);
    ASSERT_FALSE(bill.late) << round;
    ASSERT_EQ(bill.on_demand_work_ms + bill.spot_work_ms, job.work_ms);
  }
}

TEST(DeadlineGuard, LetsThroughWhatIsStillInTime) {
  const Job job{.work_ms = 60, .deadline_ms = 100, .start_ms = 10};
  JobState state = submitted(job);
  EXPECT_TRUE(keeps_deadline(job, state, kIdle, 30));
  EXPECT_FALSE(keeps_deadline(job, state, kIdle, 31)) << "the start on demand would be late";
  EXPECT_TRUE(keeps_deadline(job, state, on_spot(0), 1000)) << "a start is all that spot can cost";
  state.now_ms = 25;
  EXPECT_EQ(guarded(job, state, on_spot(0), 1000), kOnDemand);
  state.place = on_spot(0);
  EXPECT_EQ(guarded(job, state, on_spot(0), 1000), on_spot(0)) << "its start is over";
  EXPECT_EQ(guarded(job, state, on_spot(1), 1000), kOnDemand);
}

}  // namespace
}  // namespace ym::sim::spot
