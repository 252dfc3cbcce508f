// Durations and times of job files and configuration (field.h).
#include <fmt/format.h>

#include <cctype>

#include "spec/text/field.h"

namespace ym::spec {
namespace {

std::string out_of_range(std::string_view text, Duration min, Duration max) {
  return fmt::format("{} is out of range; write {} to {}", quoted(text), to_string(min), to_string(max));
}

// Has the form of a duration, but is longer than the reader accepts.
bool is_too_long(std::string_view text) {
  std::string short_form;
  bool is_long = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !short_form.empty() && short_form.back() == '1') is_long = true;
    else short_form += digit ? '1' : c;
  }
  return is_long && parse_duration(short_form).has_value();
}

// "2H" and "2 hours" probably mean 2h.
std::string duration_guess(std::string_view text) {
  constexpr std::string_view kUnits = "dhms";
  const auto end = text.find_first_not_of("0123456789");
  const auto unit = text.find_first_not_of(' ', std::min(end, text.size()));
  if (end == 0 || unit == std::string_view::npos) return {};
  const char letter = static_cast<char>(std::tolower(static_cast<unsigned char>(text[unit])));
  const auto rest = text.substr(unit + 1);
  const bool one_word = rest.find_first_of("0123456789 .:-") == std::string_view::npos;
  if (!kUnits.contains(letter) || !one_word) return {};
  const auto guess = fmt::format("{}{}", text.substr(0, end), letter);
  return parse_duration(guess) ? fmt::format("; did you mean {}?", guess) : "";
}

}  // namespace

std::optional<Duration> read_duration(const Field& field, Duration min, Duration max) {
  const auto text = read_scalar_text(field);
  if (!text) return std::nullopt;
  const auto parsed = parse_duration(*text);
  if (!parsed) {
    field.wrong(is_too_long(*text) ? out_of_range(*text, min, max)
                                   : fmt::format("{} is not a duration; write for example 90s, 15m, 1h30m or 2d{}",
                                                 quoted(*text), duration_guess(*text)));
    return std::nullopt;
  }
  if (*parsed >= min && *parsed <= max) return *parsed;
  field.wrong(out_of_range(*text, min, max));
  return std::nullopt;
}

std::optional<Instant> read_time(const Field& field) {
  const auto text = read_string(field);
  if (!text) return std::nullopt;
  if (const auto time = parse_rfc3339(*text)) return *time;
  field.wrong(fmt::format("{} is not a time; write for example 2026-01-01T12:00:00Z", quoted(*text)));
  return std::nullopt;
}

}  // namespace ym::spec
