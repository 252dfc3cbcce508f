#include "executor/slurm/client/hostlist.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/whole_number.h"

namespace ym::slurm {
namespace {

using Hosts = std::vector<std::string>;

std::unexpected<Error> nonsense(std::string_view text) {
  return fail(ErrorCode::invalid, fmt::format("\"{}\" is not a list of nodes", text.substr(0, 80)));
}

// "1-3" or "07": the numbers as written, with leading zeros.
Result<Hosts> expand_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto first_text = text.substr(0, dash);
  const auto last_text = dash == std::string_view::npos ? first_text : text.substr(dash + 1);
  const auto first = whole_number<std::uint32_t>(first_text), last = whole_number<std::uint32_t>(last_text);
  if (!first || !last || *last < *first) return nonsense(text);
  if (*last - *first >= kMostHosts) return fail(ErrorCode::too_large, "a list of too many nodes");
  Hosts numbers;
  for (std::uint64_t n = *first; n <= *last; ++n) numbers.push_back(fmt::format("{:0{}}", n, first_text.size()));
  return numbers;
}

// The numbers in the text between the brackets.
Result<Hosts> expand_ranges(std::string_view text) {
  Hosts numbers;
  while (true) {
    const auto comma = text.find(',');
    auto some = expand_range(text.substr(0, comma));
    if (!some) return some;
    numbers.insert(numbers.end(), some->begin(), some->end());
    if (numbers.size() > kMostHosts) return fail(ErrorCode::too_large, "a list of too many nodes");
    if (comma == std::string_view::npos) return numbers;
    text.remove_prefix(comma + 1);
  }
}

// Each of `starts` followed by each of `ends`.
Result<Hosts> joined(const Hosts& starts, const Hosts& ends) {
  if (starts.size() * ends.size() > kMostHosts) return fail(ErrorCode::too_large, "a list of too many nodes");
  Hosts all;
  for (const auto& start : starts)
    for (const auto& end : ends) all.push_back(start + end);
  return all;
}

// One item: "n[1-3]", "rack[1-2]n[1-4]", "gpu1".
Result<Hosts> expand_item(std::string_view text) {
  Hosts names{""};
  while (!text.empty()) {
    const auto open = text.find('[');
    auto plain = joined(names, {std::string(text.substr(0, open))});
    if (!plain || open == std::string_view::npos) return plain;
    const auto close = text.find(']', open);
    if (close == std::string_view::npos) return nonsense(text);
    const auto numbers = expand_ranges(text.substr(open + 1, close - open - 1));
    if (!numbers) return numbers;
    auto longer = joined(*plain, *numbers);
    if (!longer) return longer;
    names = std::move(*longer);
    text.remove_prefix(close + 1);
  }
  return names;
}

// Length of the first item: up to a comma outside brackets.
std::size_t item_length(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') ++depth;
    if (text[i] == ']') --depth;
    if (text[i] == ',' && depth <= 0) return i;
  }
  return text.size();
}

}  // namespace

Result<std::vector<std::string>> expand_hosts(std::string_view text) {
  if (text.empty() || text == "(null)" || text == "None assigned" || text == "N/A") return Hosts{};
  Hosts all;
  while (true) {
    const auto length = item_length(text);
    const auto some = expand_item(text.substr(0, length));
    if (!some) return some;
    all.insert(all.end(), some->begin(), some->end());
    if (all.size() > kMostHosts) return fail(ErrorCode::too_large, "a list of too many nodes");
    if (length == text.size()) break;
    text.remove_prefix(length + 1);
  }
  if (!std::ranges::all_of(all, is_plain_host)) return nonsense(text);
  return all;
}

bool is_plain_host(std::string_view name) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= 255 && name.front() != '-' && std::ranges::all_of(name, plain);
}

}  // namespace ym::slurm
