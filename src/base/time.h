// Instants and durations: int64 milliseconds, never floating point.
//
// Nothing here reads a clock. Control and the executors get the time from the port `Clock`. The engine gets `now` as an
// argument.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ym {

struct Duration {
  std::int64_t ms = 0;
  constexpr auto operator<=>(const Duration&) const = default;
};

// Milliseconds since the Unix epoch, UTC.
struct Instant {
  std::int64_t ms = 0;
  constexpr auto operator<=>(const Instant&) const = default;
};

constexpr Duration seconds(std::int64_t n) { return {n * 1000}; }
constexpr Duration minutes(std::int64_t n) { return {n * 60'000}; }
constexpr Duration hours(std::int64_t n) { return {n * 3'600'000}; }

constexpr Instant operator+(Instant t, Duration d) { return {t.ms + d.ms}; }
constexpr Instant operator-(Instant t, Duration d) { return {t.ms - d.ms}; }
constexpr Duration operator-(Instant a, Instant b) { return {a.ms - b.ms}; }
constexpr Duration operator+(Duration a, Duration b) { return {a.ms + b.ms}; }

// "2026-11-21T11:47:48.123Z". Precondition: a year from 1970 to 9999.
std::string to_rfc3339(Instant t);
// For sentences: "2026-11-21 11:47:48 UTC". The same precondition.
std::string to_utc_text(Instant t);

// Any RFC 3339 time with a zone, in the years that to_rfc3339 writes. Fractions below a millisecond are cut.
Result<Instant> parse_rfc3339(std::string_view text);

// "250ms", "90s", "1h30m", "2d", or a bare number of seconds. No sign, no
// fraction, at most ten years.
Result<Duration> parse_duration(std::string_view text);

// The shortest exact form that parse_duration reads back: "1h30m", "250ms", "0s".
std::string to_string(Duration d);

// A source of time. Implementations are thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  // Never goes backwards, also when the machine's wall clock is set back.
  virtual Instant now() const = 0;
};

}  // namespace ym
