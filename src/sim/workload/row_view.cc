#include "sim/workload/row_view.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace ym::sim {
namespace {

// Three hundred years: a sum of two of these does not overflow in any unit.
constexpr double kLongestMs = 1e13;
constexpr std::int64_t kMostCounted = 1'000'000'000;

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string safe;
  for (const char c : text.substr(0, kShown)) safe += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  return text.size() > kShown ? safe + "..." : safe;
}

Instant trace_epoch() { return *parse_rfc3339("2001-01-01T00:00:00Z"); }

std::string_view RowView::text(std::string_view column) const {
  const auto it = columns_.find(column);
  return it == columns_.end() ? std::string_view() : row_.fields[it->second];
}

void RowView::refuse(std::string_view column, std::string_view why) {
  if (error_) return;
  const auto it = columns_.find(column);
  const auto message = it == columns_.end() ? fmt::format("{}:1: there is no column '{}'", path_, column)
                                            : fmt::format("{}:{}: column {} ({}): '{}' {}", path_, row_.line,
                                                          it->second + 1, column, shown(text(column)), why);
  error_ = Error{.code = ErrorCode::invalid, .message = message};
}

std::optional<double> RowView::number(std::string_view written, std::string_view column) {
  double value = 0;
  const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), value);
  if (written.empty()) refuse(column, "is empty; a number is required");
  else if (error == std::errc::result_out_of_range) refuse(column, "is too large");
  else if (end != written.data() + written.size() || error != std::errc())
    refuse(column, written.contains(',') ? "is not a number; write 1.5, not 1,5" : "is not a number");
  else if (!std::isfinite(value)) refuse(column, "is not a finite number");
  else return value;
  return std::nullopt;
}

std::int64_t RowView::count(std::string_view column, std::int64_t least) {
  const auto value = number(text(column), column);
  if (!value) return least;
  if (*value != std::floor(*value)) return refuse(column, "is not whole"), least;
  if (*value < static_cast<double>(least)) return refuse(column, fmt::format("is less than {}", least)), least;
  if (*value > static_cast<double>(kMostCounted)) return refuse(column, "is too large"), least;
  return static_cast<std::int64_t>(*value);
}

Duration RowView::duration(std::string_view column, std::int64_t unit_ms) {
  return duration_of(text(column), column, unit_ms);
}

Duration RowView::duration_of(std::string_view written, std::string_view column, std::int64_t unit_ms) {
  const auto value = number(written, column);
  if (!value) return {};
  if (*value < 0) return refuse(column, "is negative"), Duration{};
  const double ms = *value * static_cast<double>(unit_ms);
  if (ms > kLongestMs) return refuse(column, "is too large"), Duration{};
  return {std::llround(ms)};
}

double RowView::real(std::string_view column) {
  const auto value = number(text(column), column);
  if (!value) return 0;
  if (*value < 0) return refuse(column, "is negative"), 0;
  return *value;
}

Duration RowView::seconds_for(std::string_view column, double seconds) {
  const double ms = seconds * 1000;
  if (!(ms <= kLongestMs)) return refuse(column, "makes a run time that is too long"), Duration{};
  return {std::llround(ms)};
}

Instant RowView::instant(std::string_view column) {
  constexpr std::size_t kWithoutZone = 19;
  std::string written(text(column));
  if (written.size() < kWithoutZone || written[4] != '-') return trace_epoch() + duration(column, 1000);
  written[10] = 'T';
  if (written.size() == kWithoutZone) written += 'Z';
  // The %z of strftime, as in SLURM_TIME_FORMAT: +0100.
  const auto sign = written.find_first_of("+-", kWithoutZone);
  if (sign != std::string::npos && sign + 5 == written.size()) written.insert(sign + 3, ":");
  const auto parsed = parse_rfc3339(written);
  if (!parsed) return refuse(column, "is not a time; write 2026-01-31T07:01:55Z"), trace_epoch();
  return *parsed;
}

}  // namespace ym::sim
