// Budgets: what the jobs of a queue, and of the queues below it, may cost within a window of time.
//
// A job's cost counts in the window in which its attempt was admitted: while it runs, all that its time limit
// would let it cost; once it has ended, what it has cost. So a budget is never exceeded by jobs that keep
// their limits. Windows are those of the calendar, in UTC; weeks begin on Monday.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/time.h"

namespace ym {

enum class BudgetUnit : std::uint8_t { gpu_hours, money };
constexpr std::string_view to_string(BudgetUnit value) {
  switch (value) {
    case BudgetUnit::gpu_hours: return "gpu-hours";
    case BudgetUnit::money: return "money";
  }
  return {};
}
// What a thousandth of a GPU-hour, or of the currency's unit, is in the amounts of budgets.
constexpr std::int64_t thousandth_of(BudgetUnit unit) { return unit == BudgetUnit::money ? 1'000 : 3'600; }
enum class BudgetWindow : std::uint8_t { day, week, month };
constexpr std::string_view to_string(BudgetWindow value) {
  switch (value) {
    case BudgetWindow::day: return "day";
    case BudgetWindow::week: return "week";
    case BudgetWindow::month: return "month";
  }
  return {};
}

struct Budget {
  BudgetUnit unit = BudgetUnit::gpu_hours;
  std::int64_t amount = 0;  // GPU-milliseconds, or millionths of the currency of the flavors' prices
  BudgetWindow per = BudgetWindow::month;
  bool operator==(const Budget&) const = default;
};

// What something has cost, or may.
struct Cost {
  std::int64_t gpu_ms = 0, money_micros = 0;
  bool operator==(const Cost&) const = default;

  std::int64_t in(BudgetUnit unit) const { return unit == BudgetUnit::gpu_hours ? gpu_ms : money_micros; }
  Cost& operator+=(const Cost& other);
  Cost& operator-=(const Cost& other);
};

// Of so many GPUs for so long; what is too much to be counted is as much as can be.
Cost cost_of(std::int64_t gpus_milli, Duration time, std::int64_t price_micros_per_gpu_hour);

// What those attempts have cost that have ended, of one queue and admitted on one day.
struct Spending {
  static constexpr std::string_view kTable = "spending", kRow = "spending";
  std::string name;  // "QUEUE/20779"
  std::string queue;
  std::int64_t day = 0;  // since 1970-01-01, UTC
  Cost cost;
  bool operator==(const Spending&) const = default;
};

using SpendingRows = std::map<std::string, Spending>;  // by name

// Rows of days that no window reaches back to are dropped.
inline constexpr std::int64_t kSpendingDays = 40;

std::int64_t day_of(Instant time);
// The first day of the window that the time lies in, and of the one after it.
std::int64_t window_begin(BudgetWindow window, Instant time);
std::int64_t window_end(BudgetWindow window, Instant time);
Instant instant_of_day(std::int64_t day);

// Enters what an attempt has cost; the row's name.
const std::string& settle(SpendingRows& rows, const std::string& queue, Instant admitted_at, const Cost& cost);
// Whether no window reaches back to it.
bool is_old(const Spending& row, Instant now);
// Drops those rows; their names.
std::vector<std::string> drop_old(SpendingRows& rows, Instant now);

}  // namespace ym
