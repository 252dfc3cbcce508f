// Budgets: what the jobs of a queue, and of the queues below it, may cost within a period.
//
// A job's cost counts in the period in which its attempt was admitted. While the attempt runs, the cost of its whole
// time limit counts. Once it has ended, its real cost counts. So jobs that keep their time limits never exceed a
// budget. Periods are those of the calendar, in UTC; weeks begin on Monday.
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
// A thousandth of a GPU-hour, or of the currency's unit, in the unit of budget amounts.
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

// A cost: the actual one, or a limit.
struct Cost {
  std::int64_t gpu_ms = 0, money_micros = 0;
  bool operator==(const Cost&) const = default;

  std::int64_t in(BudgetUnit unit) const { return unit == BudgetUnit::gpu_hours ? gpu_ms : money_micros; }
  Cost& operator+=(const Cost& other);
  Cost& operator-=(const Cost& other);
};

// The cost of `gpus_milli` for `time`. An amount that is too large becomes the largest number.
Cost cost_of(std::int64_t gpus_milli, Duration time, std::int64_t price_micros_per_gpu_hour);

// The cost of the attempts of one queue that were admitted on one day and have ended.
struct Spending {
  static constexpr std::string_view kTable = "spending", kRow = "spending";
  std::string name;  // "QUEUE/20779"
  std::string queue;
  std::int64_t day = 0;  // since 1970-01-01, UTC
  Cost cost;
  bool operator==(const Spending&) const = default;
};

using SpendingRows = std::map<std::string, Spending>;  // by name

// Older rows are dropped. No window reaches back that far.
inline constexpr std::int64_t kSpendingDays = 40;

std::int64_t day_of(Instant time);
// The first day of the window with this time, and of the window after it.
std::int64_t window_begin(BudgetWindow window, Instant time);
std::int64_t window_end(BudgetWindow window, Instant time);
Instant instant_of_day(std::int64_t day);

// Adds the cost of an attempt. Returns the row's name.
const std::string& settle(SpendingRows& rows, const std::string& queue, Instant admitted_at, const Cost& cost);
// Whether the row is so old that no window reaches back to it.
bool is_old(const Spending& row, Instant now);
// Drops the old rows. Returns their names.
std::vector<std::string> drop_old(SpendingRows& rows, Instant now);

}  // namespace ym
