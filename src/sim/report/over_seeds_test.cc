#include "sim/report/over_seeds.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace ym::sim {
namespace {

namespace json = boost::json;

json::array runs(const char* text) { return json::parse(text).as_array(); }

TEST(OverSeeds, HasMeansAndIntervalsInTheSamePlaces) {
  const auto told = over_seeds(runs(R"([{"begin": "a", "all": {"wait": 10, "jobs": 4}, "queues": [{"jobs": 1}]},
                                        {"begin": "b", "all": {"wait": 14, "jobs": 4}, "queues": [{"jobs": 9}]},
                                        {"begin": "c", "all": {"wait": 12, "jobs": 4}, "queues": []}])"));
  EXPECT_EQ(told.at("all").at("wait").as_double(), 12);
  EXPECT_EQ(told.at("all").at("jobs").as_double(), 4);
  // t(0.975, 2) = 4.3027, standard deviation 2, three runs.
  EXPECT_NEAR(told.at("ci95").at("all").at("wait").as_double(), 4.3027 * 2 / std::sqrt(3.0), 1e-3);
  EXPECT_EQ(told.at("ci95").at("all").at("jobs").as_double(), 0);
  EXPECT_EQ(told.at("begin").as_string(), "a") << "of the first run";
  EXPECT_EQ(told.at("queues").as_array().size(), 1U);
}

TEST(OverSeeds, DifferencesAreTakenSeedBySeed) {
  const auto base = runs(R"([{"wait": 100}, {"wait": 10}])"), other = runs(R"([{"wait": 98}, {"wait": 8}])");
  const auto told = difference(other, base);
  EXPECT_EQ(told.at("wait").as_double(), -2);
  EXPECT_EQ(told.at("ci95").at("wait").as_double(), 0) << "however much the seeds differ";
}

TEST(OverSeeds, WhatARunHasNotIsNone) {
  const auto told = over_seeds(runs(R"([{"late": 2}, {}])"));
  EXPECT_EQ(told.at("late").as_double(), 1);
}

}  // namespace
}  // namespace ym::sim
