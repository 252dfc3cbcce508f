#include "sim/workload/resample.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sim/workload/row_view.h"

namespace ym::sim {
namespace {

constexpr std::int64_t kDayMs = 86'400'000;

// Four weeks. Each day has as many jobs as its number, at a minute of its own.
std::vector<TraceJob> four_weeks() {
  std::vector<TraceJob> jobs;
  for (std::int64_t day = 0; day < 28; ++day) {
    for (std::int64_t i = 0; i < day; ++i)
      jobs.push_back({.line = static_cast<std::int64_t>(jobs.size() + 2),
                      .submit_at = trace_epoch() + Duration{day * kDayMs + i * 60'000},
                      .gpus = day});
  }
  return jobs;
}

TEST(Resampled, HasWholeDaysOfTheSameWeekday) {
  const auto jobs = four_weeks();
  const auto again = resampled(jobs, 3);
  std::map<std::int64_t, std::multiset<std::int64_t>> days;
  Instant last = trace_epoch();
  for (const auto& job : again) {
    EXPECT_GE(job.submit_at, last);
    last = job.submit_at;
    // Days begin at midnight. The recording begins with the first day that has jobs: the second one.
    const auto day = (job.submit_at - trace_epoch()).ms / kDayMs;
    days[day].insert(job.gpus);
    EXPECT_EQ(day % 7, job.gpus % 7);
  }
  for (const auto& [day, gpus] : days) {
    EXPECT_EQ(std::set(gpus.begin(), gpus.end()).size(), 1U) << "one day in place of one";
    EXPECT_EQ(static_cast<std::int64_t>(gpus.size()), *gpus.begin()) << "all of its jobs";
  }
  EXPECT_EQ(days.size(), 27U);
}

TEST(Resampled, IdsAreThereOnce) {
  std::set<std::string> ids;
  const auto again = resampled(four_weeks(), 5);
  for (const auto& job : again) ids.insert(job.id);
  EXPECT_EQ(ids.size(), again.size());
}

TEST(Resampled, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const auto sizes = [](std::uint64_t seed) {
    std::vector<std::int64_t> gpus;
    for (const auto& job : resampled(four_weeks(), seed)) gpus.push_back(job.gpus);
    return gpus;
  };
  EXPECT_EQ(sizes(1), sizes(1));
  EXPECT_NE(sizes(1), sizes(2));
}

TEST(Resampled, OfASingleDayIsThatDay) {
  auto jobs = four_weeks();
  jobs.resize(1);
  const auto again = resampled(jobs, 1);
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again.front().submit_at, jobs.front().submit_at);
}

}  // namespace
}  // namespace ym::sim
