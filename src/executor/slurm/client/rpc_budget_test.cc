#include "executor/slurm/client/rpc_budget.h"

#include <gtest/gtest.h>

namespace ym::slurm {
namespace {

TEST(RpcBudget, InTheLongRunNoMoreThanItsRateHoweverOftenItIsWished) {
  Instant now{1'000'000'000};
  RpcBudget budget{12, now};
  std::int64_t questions = 0;
  for (int tick = 0; tick < 60 * 60 * 5; ++tick, now = now + Duration{200}) questions += budget.take(now) ? 1 : 0;
  EXPECT_LE(questions * RpcBudget::kOfAQuestion, 60 * 12 + RpcBudget::kBurst * RpcBudget::kOfAQuestion);
  EXPECT_GE(questions * RpcBudget::kOfAQuestion, 60 * 12);
}

TEST(RpcBudget, WhatWasSavedIsThereAtOnceAndNoMore) {
  Instant now{1'000'000'000};
  RpcBudget budget{12, now};
  now = now + hours(5);
  int at_once = 0;
  while (budget.take(now)) ++at_once;
  EXPECT_EQ(at_once, RpcBudget::kBurst);
}

}  // namespace
}  // namespace ym::slurm
