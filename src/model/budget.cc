#include "model/budget.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

namespace ym {
namespace {

constexpr std::int64_t kDayMs = 24 * 3'600'000;
constexpr std::int64_t kHourMs = 3'600'000;

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (!__builtin_add_overflow(a, b, &result)) return result;
  return b > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

std::int64_t bounded(__int128 amount) {
  constexpr __int128 kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::min(amount, kMost));
}

std::chrono::sys_days date_of(Instant time) { return std::chrono::sys_days(std::chrono::days(day_of(time))); }

std::int64_t month_begin(std::chrono::year_month month) {
  return std::chrono::sys_days(month / std::chrono::day(1)).time_since_epoch().count();
}

std::chrono::year_month month_of(Instant time) {
  const std::chrono::year_month_day date(date_of(time));
  return date.year() / date.month();
}

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  gpu_ms = sum(gpu_ms, other.gpu_ms);
  money_micros = sum(money_micros, other.money_micros);
  return *this;
}

Cost& Cost::operator-=(const Cost& other) { return *this += Cost{-other.gpu_ms, -other.money_micros}; }

Cost cost_of(std::int64_t gpus_milli, Duration time, std::int64_t price_micros_per_gpu_hour) {
  const std::int64_t gpu_ms = bounded(static_cast<__int128>(gpus_milli) * time.ms / 1000);
  const __int128 money = static_cast<__int128>(gpu_ms) * price_micros_per_gpu_hour / kHourMs;
  return {.gpu_ms = gpu_ms, .money_micros = bounded(money)};
}

std::int64_t day_of(Instant time) { return time.ms / kDayMs; }
Instant instant_of_day(std::int64_t day) { return {day * kDayMs}; }

std::int64_t window_begin(BudgetWindow window, Instant time) {
  const std::chrono::weekday weekday(date_of(time));
  switch (window) {
    case BudgetWindow::day: return day_of(time);
    case BudgetWindow::week: return day_of(time) - (weekday - std::chrono::Monday).count();
    case BudgetWindow::month: return month_begin(month_of(time));
  }
  return day_of(time);
}

std::int64_t window_end(BudgetWindow window, Instant time) {
  switch (window) {
    case BudgetWindow::day: return day_of(time) + 1;
    case BudgetWindow::week: return window_begin(window, time) + 7;
    case BudgetWindow::month: return month_begin(month_of(time) + std::chrono::months(1));
  }
  return day_of(time) + 1;
}

const std::string& settle(SpendingRows& rows, const std::string& queue, Instant admitted_at, const Cost& cost) {
  const std::int64_t day = day_of(admitted_at);
  const std::string name = queue + "/" + std::to_string(day);
  const auto [it, fresh] = rows.try_emplace(name, Spending{.name = name, .queue = queue, .day = day, .cost = {}});
  it->second.cost += cost;
  return it->first;
}

bool is_old(const Spending& row, Instant now) { return row.day < day_of(now) - kSpendingDays; }

std::vector<std::string> drop_old(SpendingRows& rows, Instant now) {
  std::vector<std::string> old;
  for (const auto& [name, row] : rows)
    if (is_old(row, now)) old.push_back(name);
  for (const auto& name : old) rows.erase(name);
  return old;
}

}  // namespace ym
