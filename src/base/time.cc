#include "base/time.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <optional>

#include "base/assert.h"

namespace ym {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t ms;
};
constexpr std::array<Unit, 5> kUnits{{{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};
constexpr std::int64_t kTenYearsMs = 3653LL * 86'400'000;
constexpr Instant kYear10000{253'402'300'800'000};

std::unexpected<Error> bad_duration(std::string_view text) {
  return fail(
      ErrorCode::invalid,
      "'" + std::string(text) + "' is not a duration; write for example 90s, 15m, 1h30m or 2d (at most ten years)");
}

std::optional<int> fixed_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool literal(std::string_view& text, char upper, char lower) {
  if (text.empty() || (text.front() != upper && text.front() != lower)) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::int64_t> fraction_ms(std::string_view& text) {
  if (!literal(text, '.', '.')) return 0;
  std::int64_t value = 0;
  std::size_t digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++digits)
    if (digits < 3) value = value * 10 + (text.front() - '0');
  if (digits == 0) return std::nullopt;
  for (; digits < 3; ++digits) value *= 10;
  return value;
}

std::optional<std::int64_t> zone_ms(std::string_view& text) {
  if (literal(text, 'Z', 'z')) return 0;
  const bool minus = !text.empty() && text.front() == '-';
  if (!literal(text, '+', '-')) return std::nullopt;
  const auto h = fixed_digits(text, 2);
  if (!h || !literal(text, ':', ':')) return std::nullopt;
  const auto m = fixed_digits(text, 2);
  if (!m || *h > 23 || *m > 59) return std::nullopt;
  return (minus ? -1 : 1) * (*h * 3'600'000LL + *m * 60'000LL);
}

std::optional<Instant> read_rfc3339(std::string_view text) {
  const auto y = fixed_digits(text, 4);
  if (!y || !literal(text, '-', '-')) return std::nullopt;
  const auto mo = fixed_digits(text, 2);
  if (!mo || !literal(text, '-', '-')) return std::nullopt;
  const auto d = fixed_digits(text, 2);
  if (!d || !(literal(text, 'T', 't') || literal(text, ' ', ' '))) return std::nullopt;
  const auto h = fixed_digits(text, 2);
  if (!h || !literal(text, ':', ':')) return std::nullopt;
  const auto mi = fixed_digits(text, 2);
  if (!mi || !literal(text, ':', ':')) return std::nullopt;
  const auto s = fixed_digits(text, 2);
  if (!s) return std::nullopt;
  const auto fraction = fraction_ms(text);
  if (!fraction) return std::nullopt;
  const auto zone = zone_ms(text);
  if (!zone || !text.empty()) return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{year{*y}, month{static_cast<unsigned>(*mo)}, day{static_cast<unsigned>(*d)}};
  if (!date.ok() || *h > 23 || *mi > 59 || *s > 60) return std::nullopt;
  const auto days_ms = std::chrono::milliseconds(sys_days{date}.time_since_epoch()).count();
  return Instant{days_ms + *h * 3'600'000LL + *mi * 60'000LL + *s * 1000LL + *fraction - *zone};
}

}  // namespace

std::string to_rfc3339(Instant t) {
  YM_ASSERT(t.ms >= 0 && t < kYear10000);
  using namespace std::chrono;
  const sys_time<milliseconds> time{milliseconds{t.ms}};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  std::array<char, 40> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
                    static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                    static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                    static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(length)};
}

std::string to_utc_text(Instant t) {
  constexpr std::size_t kToTheSecond = 19, kBetween = 10;
  auto text = to_rfc3339(t).substr(0, kToTheSecond);
  text[kBetween] = ' ';
  return text + " UTC";
}

Result<Instant> parse_rfc3339(std::string_view text) {
  const auto t = read_rfc3339(text);
  // The offset of a zone can move a time out of the years that to_rfc3339 writes.
  if (t && t->ms >= 0 && *t < kYear10000) return *t;
  if (t) return fail(ErrorCode::invalid, "'" + std::string(text) + "' is not between the years 1970 and 9999 (UTC)");
  return fail(ErrorCode::invalid, "'" + std::string(text) + "' is not an RFC 3339 time such as 2026-11-21T09:30:00Z");
}

Result<Duration> parse_duration(std::string_view text) {
  std::string_view rest = text;
  std::int64_t total = 0;
  std::size_t next_unit = 0;
  bool bare = true;
  if (rest.empty()) return bad_duration(text);
  while (!rest.empty()) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc{} || number < 0 || rest.front() == '-') return bad_duration(text);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    std::size_t letters = 0;
    while (letters < rest.size() && rest[letters] >= 'a' && rest[letters] <= 'z') ++letters;
    const auto name = rest.substr(0, letters);
    rest.remove_prefix(letters);
    std::int64_t scale = 1000;
    if (name.empty()) {
      if (!bare || !rest.empty()) return bad_duration(text);
    } else {
      while (next_unit < kUnits.size() && kUnits[next_unit].name != name) ++next_unit;
      if (next_unit == kUnits.size()) return bad_duration(text);
      scale = kUnits[next_unit++].ms;
    }
    bare = false;
    if (number > kTenYearsMs / scale) return bad_duration(text);
    total += number * scale;
    if (total > kTenYearsMs) return bad_duration(text);
  }
  return Duration{total};
}

std::string to_string(Duration d) {
  if (d.ms == 0) return "0s";
  std::string text = d.ms < 0 ? "-" : "";
  std::int64_t rest = d.ms < 0 ? -d.ms : d.ms;
  for (const auto& unit : kUnits) {
    if (rest / unit.ms == 0) continue;
    text += std::to_string(rest / unit.ms) + std::string(unit.name);
    rest %= unit.ms;
  }
  return text;
}

}  // namespace ym
