#include "executor/kubernetes/api/json.h"

#include <boost/json/parse.hpp>
#include <cmath>
#include <utility>

#include "base/whole_number.h"

namespace ym::kubernetes {
namespace {

constexpr std::size_t kMaxDepth = 48;
// More than any machine has; a larger amount is a mistake.
constexpr long double kMostAmount = 9007199254740992.0L;

long double factor_of(std::string_view suffix) {
  constexpr std::pair<std::string_view, long double> kFactors[] = {{"", 1.0L},
                                                                   {"n", 1e-9L},
                                                                   {"u", 1e-6L},
                                                                   {"m", 1e-3L},
                                                                   {"k", 1e3L},
                                                                   {"M", 1e6L},
                                                                   {"G", 1e9L},
                                                                   {"T", 1e12L},
                                                                   {"P", 1e15L},
                                                                   {"E", 1e18L},
                                                                   {"Ki", 1024.0L},
                                                                   {"Mi", 1048576.0L},
                                                                   {"Gi", 1073741824.0L},
                                                                   {"Ti", 1099511627776.0L},
                                                                   {"Pi", 1125899906842624.0L},
                                                                   {"Ei", 1152921504606846976.0L}};
  for (const auto& [name, factor] : kFactors)
    if (suffix == name) return factor;
  return -1.0L;
}

// Digits with at most one point; removes them from the text.
std::optional<long double> take_decimal(std::string_view& text) {
  long double value = 0.0L, unit = 1.0L;
  bool digits = false, point = false;
  while (!text.empty() && (text.front() == '.' || (text.front() >= '0' && text.front() <= '9'))) {
    if (text.front() == '.') {
      if (std::exchange(point, true)) return std::nullopt;
    } else {
      digits = true;
      if (point) unit /= 10.0L;
      value = point ? value + unit * static_cast<long double>(text.front() - '0')
                    : value * 10.0L + static_cast<long double>(text.front() - '0');
    }
    text.remove_prefix(1);
  }
  return digits ? std::optional(value) : std::nullopt;
}

std::optional<long double> amount(std::string_view text) {
  if (text.size() > 40) return std::nullopt;
  const auto value = take_decimal(text);
  if (!value) return std::nullopt;
  const bool exponent = text.size() > 1 && (text.front() == 'e' || text.front() == 'E');
  if (!exponent) {
    const auto factor = factor_of(text);
    return factor < 0.0L ? std::nullopt : std::optional(*value * factor);
  }
  text.remove_prefix(text[1] == '+' ? 2 : 1);
  const auto power = whole_number<int>(text);
  if (!power || *power > 18 || *power < -18) return std::nullopt;
  return *value * std::pow(10.0L, static_cast<long double>(*power));
}

std::optional<std::int64_t> bounded(std::optional<long double> value) {
  if (!value || *value > kMostAmount) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

}  // namespace

Result<json::value> parse_json(std::string_view text) {
  json::error_code error;
  auto value = json::parse(text, error, {}, json::parse_options{.max_depth = kMaxDepth});
  if (error) return fail(ErrorCode::invalid, "not valid JSON: " + error.message());
  return value;
}

const json::value* find(const json::value& in, std::string_view pointer) {
  json::error_code error;
  return in.find_pointer(pointer, error);
}

std::string text_at(const json::value& in, std::string_view pointer) {
  const auto* found = find(in, pointer);
  return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::optional<std::int64_t> number_at(const json::value& in, std::string_view pointer) {
  const auto* found = find(in, pointer);
  if (!found || !found->is_int64()) return std::nullopt;
  return found->get_int64();
}

bool true_at(const json::value& in, std::string_view pointer) {
  const auto* found = find(in, pointer);
  return found && found->is_bool() && found->get_bool();
}

std::optional<Instant> time_at(const json::value& in, std::string_view pointer) {
  const auto text = text_at(in, pointer);
  if (text.empty()) return std::nullopt;
  const auto time = parse_rfc3339(text);
  return time ? std::optional(*time) : std::nullopt;
}

std::map<std::string, std::string> texts_at(const json::value& in, std::string_view pointer) {
  std::map<std::string, std::string> texts;
  const auto* found = find(in, pointer);
  if (!found || !found->is_object()) return texts;
  for (const auto& [key, value] : found->get_object())
    if (value.is_string()) texts.emplace(key, value.get_string());
  return texts;
}

const json::array& list_at(const json::value& in, std::string_view pointer) {
  static const json::array kNone;
  const auto* found = find(in, pointer);
  return found && found->is_array() ? found->get_array() : kNone;
}

std::optional<std::int64_t> milli_amount(std::string_view text) {
  const auto value = amount(text);
  // The subtraction keeps values that are exact in decimal, but not in binary, from being rounded up.
  return bounded(value ? std::optional(std::ceil(*value * 1000.0L - 1e-9L)) : std::nullopt);
}

std::optional<std::int64_t> whole_amount(std::string_view text) {
  const auto value = amount(text);
  return bounded(value ? std::optional(std::floor(*value + 1e-9L)) : std::nullopt);
}

}  // namespace ym::kubernetes
