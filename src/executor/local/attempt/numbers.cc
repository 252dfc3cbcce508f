#include "executor/local/attempt/numbers.h"

#include <algorithm>
#include <optional>

#include "base/whole_number.h"

namespace ym::local {
namespace {

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

}  // namespace

std::int64_t number_behind(std::string_view key, std::string_view text) {
  while (!text.empty()) {
    const auto line = take_line(text);
    if (line.size() > key.size() && line.starts_with(key) && line[key.size()] == ' ')
      return whole_number<std::int64_t>(line.substr(key.size() + 1)).value_or(0);
  }
  return 0;
}

std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    const auto number = whole_number<std::int64_t>(take_line(text));
    if (!number) break;
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace ym::local
