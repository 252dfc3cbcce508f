#include "model/budget.h"

#include <limits>

namespace ym {
namespace {

Instant at(std::string_view text) { return parse_rfc3339(text).value(); }
std::string day(std::int64_t number) { return to_rfc3339(instant_of_day(number)).substr(0, 10); }

TEST(Budgets, WindowsAreThoseOfTheCalendar) {
  const Instant sunday = at("2026-11-22T23:59:59Z");
  EXPECT_EQ(day(window_begin(BudgetWindow::day, sunday)), "2026-11-22");
  EXPECT_EQ(day(window_end(BudgetWindow::day, sunday)), "2026-11-23");
  EXPECT_EQ(day(window_begin(BudgetWindow::week, sunday)), "2026-11-16");
  EXPECT_EQ(day(window_end(BudgetWindow::week, sunday)), "2026-11-23");
  EXPECT_EQ(day(window_begin(BudgetWindow::month, sunday)), "2026-11-01");
  EXPECT_EQ(day(window_end(BudgetWindow::month, sunday)), "2026-12-01");
  const Instant monday = at("2026-11-23T00:00:00Z");
  EXPECT_EQ(day(window_begin(BudgetWindow::week, monday)), "2026-11-23");
  const Instant december = at("2027-12-31T12:00:00Z");
  EXPECT_EQ(day(window_begin(BudgetWindow::month, december)), "2027-12-01");
  EXPECT_EQ(day(window_end(BudgetWindow::month, december)), "2028-01-01");
}

TEST(Budgets, ACostIsOfGpusAndOfMoney) {
  EXPECT_EQ(cost_of(2000, hours(3), 1'500'000), (Cost{.gpu_ms = 6 * 3'600'000, .money_micros = 9'000'000}));
  EXPECT_EQ(cost_of(500, minutes(1), 60), (Cost{.gpu_ms = 30'000, .money_micros = 0}));
  EXPECT_EQ(cost_of(0, hours(1), 1'000'000), Cost{});
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(cost_of(kMost, hours(1), kMost), (Cost{.gpu_ms = kMost, .money_micros = kMost}));
  Cost all{.gpu_ms = kMost, .money_micros = 1};
  all += Cost{.gpu_ms = 1, .money_micros = 1};
  EXPECT_EQ(all, (Cost{.gpu_ms = kMost, .money_micros = 2}));
}

TEST(Budgets, WhatHasEndedCountsOnTheDayOfItsAdmissionUntilNoWindowReachesBack) {
  SpendingRows rows;
  const Instant admitted = at("2026-11-22T23:59:00Z");
  settle(rows, "a", admitted, {.gpu_ms = 5, .money_micros = 1});
  EXPECT_EQ(settle(rows, "a", admitted + minutes(2), {.gpu_ms = 7, .money_micros = 2}), "a/20780");
  settle(rows, "a", admitted, {.gpu_ms = 1, .money_micros = 0});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows.at("a/20779"), (Spending{.name = "a/20779", .queue = "a", .day = 20779, .cost = {6, 1}}));
  EXPECT_TRUE(drop_old(rows, admitted + hours(24 * kSpendingDays)).empty());
  EXPECT_EQ(drop_old(rows, admitted + hours(24 * kSpendingDays) + minutes(1)), std::vector<std::string>{"a/20779"});
  EXPECT_EQ(rows.size(), 1u);
}

}  // namespace
}  // namespace ym
