#include <fmt/format.h>

#include <charconv>

#include "spec/documents.h"
#include "spec/text/field.h"
#include "spec/text/labels.h"

namespace ym {
namespace {

struct Range {
  std::int64_t first = 0, last = 0;
  std::size_t width = 0;  // padded with zeros to this
};

std::optional<std::int64_t> number(std::string_view text) {
  constexpr std::size_t kMostDigits = 9;
  std::int64_t value = 0;
  if (text.empty() || text.size() > kMostDigits || text.find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// "08-10" or "7".
std::optional<Range> parse_range(std::string_view text) {
  const auto dash = text.find('-');
  const auto low = text.substr(0, dash);
  const auto first = number(low);
  const auto last = dash == std::string_view::npos ? first : number(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return Range{*first, *last, low.size() > 1 && low.front() == '0' ? low.size() : 1};
}

// Takes the text before the next comma outside of brackets.
std::string_view take_item(std::string_view& text) {
  std::size_t at = 0;
  for (bool inside = false; at < text.size() && (inside || text[at] != ','); ++at)
    inside = text[at] == '[' || (inside && text[at] != ']');
  const auto item = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return item;
}

using Names = std::optional<std::vector<std::string>>;

Names append_ranges(const std::vector<std::string>& prefixes, std::string_view ranges) {
  std::vector<std::string> out;
  while (!ranges.empty()) {
    const auto comma = std::min(ranges.find(','), ranges.size());
    const auto range = parse_range(ranges.substr(0, comma));
    ranges.remove_prefix(std::min(comma + 1, ranges.size()));
    if (!range) return std::nullopt;
    const auto count = static_cast<std::size_t>(range->last - range->first + 1);
    if (count > spec::kMaxNodeNames || out.size() + count * prefixes.size() > spec::kMaxNodeNames) return std::nullopt;
    for (const auto& prefix : prefixes)
      for (auto i = range->first; i <= range->last; ++i)
        out.push_back(fmt::format("{}{:0{}}", prefix, i, range->width));
  }
  return out.empty() ? std::nullopt : Names(std::move(out));
}

// "r[1-2]n[1-3]": brackets multiply, left to right.
Names expand_item(std::string_view item) {
  std::vector<std::string> names{""};
  while (!item.empty()) {
    const auto open = std::min(item.find('['), item.size());
    for (auto& name : names) name += item.substr(0, open);
    item.remove_prefix(open);
    if (item.empty()) break;
    const auto close = item.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    auto more = append_ranges(names, item.substr(1, close - 1));
    if (!more) return std::nullopt;
    names = std::move(*more);
    item.remove_prefix(close + 1);
  }
  return names;
}

}  // namespace

Result<std::vector<std::string>> expand_names(std::string_view pattern) {
  std::vector<std::string> all;
  const auto refused = [whole = pattern] {
    return fail(ErrorCode::invalid,
                spec::quoted(whole) +
                    " does not name nodes; write for example n1, n[1-5] or gpu[08-10],login (at most 100000 names of "
                    "letters, digits, '.', '_' and '-')");
  };
  if (pattern.empty() || pattern.size() > spec::kMaxTextBytes || pattern.ends_with(',')) return refused();
  while (!pattern.empty()) {
    auto some = expand_item(take_item(pattern));
    if (!some || all.size() + some->size() > spec::kMaxNodeNames) return refused();
    for (auto& name : *some) {
      if (!spec::is_node_name(name)) return refused();
      all.push_back(std::move(name));
    }
  }
  return all;
}

}  // namespace ym
