// Kinds of values that only queues and flavors have.
#include "spec/keys/read_queue.h"

#include <fmt/format.h>

#include <charconv>

#include "spec/text/quantities.h"

namespace ym::keys {
namespace {

constexpr std::int64_t kMostReservations = 1'000'000;
constexpr std::int64_t kMostOfABudget = 1'000'000'000;
constexpr std::int64_t kMicros = 1'000'000;
constexpr std::int64_t kMaxPrice = 1'000'000;

// Exact: 0.35 is 350000 micros, without the rounding of a double.
std::optional<std::int64_t> parse_micros(std::string_view text) {
  const auto point = std::min(text.find('.'), text.size());
  std::string digits(text.substr(0, point));
  std::string fraction(text.substr(std::min(point + 1, text.size())));
  if (digits.empty() || fraction.size() > 6 || (point < text.size() && fraction.empty())) return std::nullopt;
  fraction.resize(6, '0');
  digits += fraction;
  if (digits.size() > 15 || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  std::int64_t micros = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), micros);
  return micros <= kMaxPrice * kMicros ? std::optional(micros) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> read(const Field& field, Reservations) {
  if (field.value->kind != spec::Value::Kind::string) return spec::read_whole_number(field, 0, kMostReservations);
  if (field.value->text == "all") return kAllReserve;
  field.wrong(fmt::format("{} is not a number; write a whole number from 0 to {}, or all",
                          spec::quoted(field.value->text), kMostReservations));
  return std::nullopt;
}

std::optional<std::int64_t> read(const Field& field, LowestPriority) {
  MapReader map(field);
  const auto most =
      map.require("max_priority", "write the highest priority of jobs that may be preempted, for example 30");
  map.finish();
  return most ? read(*most, kPriority) : std::nullopt;
}

std::optional<std::int64_t> read(const Field& field, Price) {
  const auto text = spec::read_scalar_text(field);
  if (!text) return std::nullopt;
  if (const auto micros = parse_micros(*text)) return micros;
  field.wrong(
      fmt::format("{} is not a price; write for example 0.35 (at most 1000000, six decimals)", spec::quoted(*text)));
  return std::nullopt;
}

void read_form(const Field& field, Queue& queue, RunLimits) {
  MapReader map(field);
  read_keys(map, queue.run_limit);
  if (const auto users = map.find("per_user")) read_struct(*users, queue.user_run_limit);
  map.finish();
}

void read_into(const Field& field, Budget& budget, MapOf<Budget>) {
  MapReader map(field);
  read_keys(map, budget);
  map.finish();
  const auto gpu_hours = map.find("gpu_hours"), money = map.find("money");
  if (field.value->kind == spec::Value::Kind::map && gpu_hours.has_value() == money.has_value())
    field.wrong("write gpu_hours or money, with its amount");
  budget.unit = money ? BudgetUnit::money : BudgetUnit::gpu_hours;
  const auto& given = money ? money : gpu_hours;
  const auto amount = given ? spec::read_cpus(*given) : std::nullopt;
  if (amount && *amount > kMostOfABudget * kMilli) given->wrong(fmt::format("is more than {}", kMostOfABudget));
  else budget.amount = amount.value_or(0) * thousandth_of(budget.unit);
}

}  // namespace ym::keys
