// Each study from its files to its figures.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/testing/sentences.h"
#include "study/capacity.h"
#include "study/forecast.h"
#include "study/simulate.h"
#include "study/testing/small_site.h"
#include "study/tune.h"

namespace ym::study {
namespace {

namespace json = boost::json;

double number(const json::value& value, std::string_view pointer) {
  return value.at_pointer(pointer).to_number<double>();
}

// Ten jobs in each working hour, one more each week.
std::string weeks(int days) {
  std::string rows = "submit,queue,run_time,gpus\n";
  for (int day = 0; day < days; ++day)
    for (int hour = 9; hour < 17; ++hour)
      for (int i = 0; i < 10 + day / 7; ++i)
        rows += fmt::format("{},research,{},{}\n", 86'400 * day + 3'600 * hour + 300 * i, 600 + 60 * i, 1 + i % 4);
  return rows;
}

TEST(Simulate, ComparesPoliciesUnderTheirNames) {
  SmallSite site;
  const sim::TempFile shortest(
      "queues:\n  - {name: research, quota: {t4: {gpus: 16}}, policy: {order: shortest-first}}\n");
  const sim::TempFile fifo("queues:\n  - {name: research, quota: {t4: {gpus: 16}}, policy: {order: fifo}}\n");
  auto options = site.options();
  options.policies = {fifo.path(), shortest.path()};
  const auto report = simulate(options, site.listener());
  ASSERT_TRUE(report) << report.error().message;
  const auto& policies = report->at("policies").as_array();
  ASSERT_EQ(policies.size(), 2U);
  EXPECT_TRUE(fifo.path().ends_with(policies[0].at("policy").as_string()));
  EXPECT_EQ(number(policies[0], "/makespan_seconds"), 3300);  // one job after the other
  EXPECT_EQ(number(policies[0], "/all/jobs"), 10);
  EXPECT_LT(number(policies[1], "/all/wait_seconds/mean"), number(policies[0], "/all/wait_seconds/mean"));
}

TEST(Simulate, SeveralSeedsGiveMeansAndADifferenceToTheFirst) {
  SmallSite site(kSmallCluster, weeks(4));
  const sim::TempFile strict("queues:\n  - {name: research, quota: {t4: {gpus: 16}}, policy: {strict: true}}\n");
  auto options = site.options();
  options.policies = {strict.path(), strict.path()};
  options.seeds = 3;
  const auto report = simulate(options, site.listener());
  ASSERT_TRUE(report) << report.error().message;
  const auto& policies = report->at("policies").as_array();
  EXPECT_TRUE(policies[0].as_object().contains("ci95"));
  EXPECT_FALSE(policies[0].as_object().contains("difference_to_first"));
  EXPECT_TRUE(policies[1].as_object().contains("difference_to_first"));
}

TEST(Tune, FindsTheOrderThatWaitsLess) {
  SmallSite site;
  TuneOptions options{
      .simulate = site.options(), .objective = "wait-mean", .tries = {"queues.research.order=fifo,shortest-first"}};
  const auto report = tune(options, site.listener());
  ASSERT_TRUE(report) << report.error().message;
  const auto& tried = report->at("tried").as_array();
  const auto& best = tried[static_cast<std::size_t>(report->at("best").to_number<std::int64_t>())];
  EXPECT_EQ(best.at_pointer("/settings/queues.research.order"), "shortest-first");
  EXPECT_TRUE(report->at("complete").as_bool());
  for (const auto& one : tried) EXPECT_GE(number(one, "/value"), number(best, "/value"));
}

TEST(Tune, RefusesAValueBeforeTheFirstSimulation) {
  SmallSite site;
  auto listener = site.listener();
  int looks = 0;
  listener.progress = [&](const SimulateProgress&) { ++looks; };
  TuneOptions options{
      .simulate = site.options(), .objective = "wait-mean", .tries = {"queues.research.order=fifo,fog"}};
  EXPECT_FALSE(tune(options, listener));
  EXPECT_EQ(looks, 0);
}

TEST(Capacity, OneNodeFewerWouldNotBeEnough) {
  SmallSite site(kSmallCluster, weeks(21));
  const auto report =
      capacity({.simulate = site.options(), .p90_wait = minutes(5), .budget = 7'200, .price = 2.5}, site.listener());
  ASSERT_TRUE(report) << report.error().message;
  const json::value whole = *report;
  const auto enough = number(whole, "/enough/nodes");
  EXPECT_LE(number(whole, "/enough/wait_p90_seconds"), 300);
  for (const auto& run : whole.at("tried").as_array())
    EXPECT_EQ(number(run, "/wait_p90_seconds") <= 300, number(run, "/nodes") >= enough);
  EXPECT_EQ(number(whole, "/present/nodes"), 4);
  EXPECT_EQ(number(whole, "/budget_buys/nodes"), 1);  // 4 GPUs for 720 h at 2.5 each
}

constexpr auto kThreeFlavors =
    "clusters:\n"
    "  - name: lab\n"
    "    executor: simulated\n"
    "    nodes: [{names: n1, gpus: \"t4:4\", cpus: 16}, {names: c1, cpus: 16, labels: {pool: cpu}}]\n"
    "flavors:\n"
    "  - {name: t4, match: {gpu: t4}}\n"
    "  - {name: h100, match: {gpu: h100}}\n"
    "  - {name: cpu, match: {labels: {pool: cpu}}}\n"
    "queues:\n"
    "  - {name: research, quota: {t4: {gpus: 4}}}\n";

TEST(Capacity, NeedsAFlavorThatHasNodesWithGpus) {
  SmallSite site(kThreeFlavors);
  for (const auto* flavor : {"", "a10", "h100", "cpu"})
    testing::expect_refused(capacity({.simulate = site.options(), .flavor = flavor}, site.listener()),
                            ErrorCode::invalid);
}

TEST(Forecast, SaysTheNextDayWithItsErrors) {
  SmallSite site(kSmallCluster, weeks(42));
  const auto report = forecast({.simulate = site.options()});
  ASSERT_TRUE(report) << report.error().message;
  const json::value whole = *report;
  EXPECT_NEAR(number(whole, "/next_day/jobs/typical"), 120, 40);
  EXPECT_LT(number(whole, "/errors/jobs/said"), 0.5);
}

TEST(Forecast, OfAShortHistoryHasNoErrors) {
  SmallSite site;
  const auto report = forecast({.simulate = site.options()});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->at("errors").is_null());
}

}  // namespace
}  // namespace ym::study
