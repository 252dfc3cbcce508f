#include "executor/local/attempt/numbers.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ym::local {
namespace {

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::int64_t number_behind(std::string_view key, std::string_view text) {
  while (!text.empty()) {
    const auto line = take_line(text);
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ' ')
      return whole_number(line.substr(key.size() + 1)).value_or(0);
  }
  return 0;
}

std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    const auto number = whole_number(take_line(text));
    if (!number) break;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace ym::local
