#include "papers/elastic/simulate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "papers/elastic/testing/synthetic.h"

namespace ym::sim::elastic {
namespace {

using ::testing::HasSubstr;

// Gives every job the allocation of the present round; the last one stays.
class Scripted : public Policy {
 public:
  explicit Scripted(std::vector<Allocation> rounds) : rounds_(std::move(rounds)) {}

  std::string_view name() const override { return "scripted"; }
  BatchMode batch_mode() const override { return BatchMode::fixed; }
  std::vector<Allocation> plan(const Round& round) override {
    const std::size_t now = std::min(rounds_.size() - 1, planned_++);
    return std::vector<Allocation>(round.active.size(), rounds_[now]);
  }

 private:
  std::vector<Allocation> rounds_;
  std::size_t planned_ = 0;
};

// Makes progress 1 in a second on one GPU with 16 samples.
Catalog catalog_of(double epoch_progress, std::size_t epochs = 1) {
  Profile profile = synthetic_profile({.epochs = epochs, .epoch_progress = epoch_progress});
  for (auto& [counts, samples] : profile.by_counts) samples = {{1, 1, 0}, {64, 1, 0}};
  Catalog catalog;
  catalog.emplace_back(std::move(profile));
  return catalog;
}

const Allocation kNode0 = {{.node = 0, .gpus = 1}};
const Allocation kNode1 = {{.node = 1, .gpus = 1}};

std::int32_t end_s(double epoch_progress, std::vector<Allocation> rounds, std::size_t epochs = 1) {
  Scripted policy(std::move(rounds));
  const JobRequest request{.name = "job", .application = 0, .submit_s = 5, .gpus = 1, .batch = 16};
  const auto outcome = simulate(catalog_of(epoch_progress, epochs), {request}, policy);
  EXPECT_TRUE(outcome);
  return outcome ? *outcome->jobs[0].end_s : 0;
}

TEST(Simulate, StartsAtTheEndOfTheRoundAndPauses) { EXPECT_EQ(end_s(10, {kNode0}), 60 + 30 + 10); }

TEST(Simulate, EndsOnWholeSecondsHalfToEven) {
  EXPECT_EQ(end_s(10.5, {kNode0}), 100);
  EXPECT_EQ(end_s(11.5, {kNode0}), 102);
  // Each epoch is rounded for itself.
  EXPECT_EQ(end_s(2.5, {kNode0}, 4), 90 + 4 * 2);
}

TEST(Simulate, AChangeCostsAPause) {
  EXPECT_EQ(end_s(100, {kNode0, kNode0}), 190);
  EXPECT_EQ(end_s(100, {kNode0, kNode1}), 220);
  EXPECT_EQ(end_s(100, {kNode0, {}, kNode0}), 280);
}

TEST(Simulate, CountsRestartsAndTimeSinceSubmission) {
  Scripted policy({kNode0, kNode1});
  const JobRequest request{.name = "job", .application = 0, .submit_s = 20, .gpus = 1, .batch = 16};
  const auto outcome = simulate(catalog_of(100), {request}, policy);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->mean_completion_s(), 200);
  EXPECT_EQ(outcome->restarts_per_job(), 1);
  EXPECT_EQ(outcome->jobs[0].largest_run, 1U);
}

std::string failure(std::vector<Allocation> rounds, const Protocol& protocol = {}) {
  Scripted policy(std::move(rounds));
  const JobRequest request{.name = "job", .application = 0, .submit_s = 0, .gpus = 1, .batch = 16};
  const auto outcome = simulate(catalog_of(100), {request, request}, policy, protocol);
  EXPECT_FALSE(outcome);
  return outcome ? "" : outcome.error().message;
}

TEST(Simulate, RefusesGpusThatAreNotThere) {
  EXPECT_THAT(failure({{{.node = 0, .gpus = 3}}}), HasSubstr("scripted gives GPUs that are not there"));
}

TEST(Simulate, RefusesToRunForEver) {
  EXPECT_THAT(failure({{}}, {.longest_s = 600}), HasSubstr("does not come to an end"));
}

TEST(Simulate, SaysWhatWasNeverMeasured) {
  // Eight replicas share a batch of 16: two samples each, but the table begins with more.
  Catalog catalog;
  Profile profile = synthetic_profile();
  for (auto& [counts, samples] : profile.by_counts) samples = {{8, 1, 0}, {64, 1, 0}};
  catalog.emplace_back(std::move(profile));
  Scripted policy({{{.node = 0, .gpus = 4}, {.node = 1, .gpus = 4}}});
  const auto outcome = simulate(catalog, {{.name = "job", .gpus = 8, .batch = 16}}, policy);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, HasSubstr("nothing is known of job on 8 GPUs of 2 nodes with 2 samples"));
}

}  // namespace
}  // namespace ym::sim::elastic
