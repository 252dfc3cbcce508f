#include "scenario/language/words.h"

#include <fmt/format.h>

#include <charconv>

#include "model/resources.h"
#include "scenario/language/world.h"

namespace ym::testing {
namespace {

template <class T>
T checked(Result<T> result) {
  if (!result) throw ScenarioError(result.error().message);
  return *result;
}

}  // namespace

Words::Words(std::string_view line) {
  std::size_t i = 0;
  while (i < line.size() && line[i] != '#') {
    if (line[i] == ' ') {
      ++i;
    } else if (line[i] == '"') {
      const auto end = line.find('"', i + 1);
      if (end == std::string_view::npos) throw ScenarioError("a quote is not closed");
      words_.emplace_back(line.substr(i + 1, end - i - 1));
      i = end + 1;
    } else {
      const auto end = std::min(line.find(' ', i), line.size());
      words_.emplace_back(line.substr(i, end - i));
      i = end;
    }
  }
}

std::string Words::take(std::string_view what) {
  if (done()) throw ScenarioError(fmt::format("{} is missing at the end of the line", what));
  return words_[next_++];
}

bool Words::skip(std::string_view word) {
  if (done() || words_[next_] != word) return false;
  ++next_;
  return true;
}

std::int64_t Words::number(std::string_view what) {
  const std::string word = take(what);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    throw ScenarioError(fmt::format("'{}' is not a number: {} is wanted", word, what));
  return value;
}

std::int64_t Words::thousandths(std::string_view what) { return checked(parse_thousandths(take(what))); }
std::int64_t Words::bytes(std::string_view what) { return checked(parse_bytes(take(what))); }
Duration Words::duration(std::string_view what) { return checked(parse_duration(take(what))); }
Instant Words::time(std::string_view what) { return kStart + duration(what); }
std::vector<std::string> Words::list(std::string_view what) { return split(take(what), ','); }

std::map<std::string, std::string> Words::labels(std::string_view what) {
  std::map<std::string, std::string> labels;
  for (const auto& pair : list(what)) {
    const auto parts = split(pair, '=');
    if (parts.size() != 2) throw ScenarioError(fmt::format("'{}' is not key=value", pair));
    labels[parts[0]] = parts[1];
  }
  return labels;
}

void Words::end() const {
  if (!done()) throw ScenarioError(fmt::format("'{}' is not understood here", peek()));
}

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  while (true) {
    const auto end = text.find(by);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> expand(const std::string& pattern) {
  const auto open = pattern.find('[');
  if (open == std::string::npos) return split(pattern, ',');
  const auto bounds = split(std::string_view(pattern).substr(open + 1, pattern.find(']') - open - 1), '-');
  std::vector<std::string> names;
  for (int i = std::stoi(bounds.at(0)); i <= std::stoi(bounds.at(1)); ++i)
    names.push_back(pattern.substr(0, open) + std::to_string(i));
  return names;
}

}  // namespace ym::testing
