#include "spec/text/suggest.h"

#include <algorithm>
#include <numeric>

#include "spec/text/field.h"

namespace ym::spec {
namespace {

// Damerau's distance in its restricted form ("optimal string alignment"), by rows: two swapped neighbours, the most
// frequent typing mistake, count as one mistake.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = row[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

std::string plain(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return text;
}

// The only word that begins so.
std::optional<std::string> beginning_with(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kShortest = 3;
  std::optional<std::string> found;
  if (word.size() < kShortest) return found;
  for (const auto& candidate : known) {
    if (!plain(candidate).starts_with(word)) continue;
    if (found && *found != candidate) return std::nullopt;
    found = candidate;
  }
  return found;
}

// Brackets in a message hold an explanation.
std::string without_brackets(std::string_view text) {
  std::string out;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    else if (c == ')') --depth;
    else if (depth == 0) out += c;
  }
  return out;
}

// "a, b or c" -> a, b, c. None if an item is more than a word.
std::vector<std::string> words_of(std::string list) {
  for (const std::string_view joint : {" or ", " and ", " nor "})
    for (auto at = list.find(joint); at != std::string::npos; at = list.find(joint))
      list.replace(at, joint.size(), ", ");
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    const auto first = std::min(list.find_first_not_of(' ', begin), end);
    const auto last = list.find_last_not_of(' ', end - 1);
    const auto word = first < end ? list.substr(first, last + 1 - first) : std::string();
    if (word.empty() || word.find_first_of(" ;:{}'\"") != std::string::npos) return {};
    words.push_back(word);
    begin = end + 1;
  }
  return words;
}

}  // namespace

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64;
  std::optional<std::string> best;
  if (word.empty() || word.size() > kLongest) return best;
  // If every letter differs, it is another word and not a typing mistake.
  std::size_t best_distance = std::min(std::max<std::size_t>(1, word.size() / 3) + 1, word.size());
  const auto looked_for = plain(word);
  for (const auto& candidate : known) {
    const auto d = distance(looked_for, plain(candidate));
    if (d < best_distance) {
      best = candidate;
      best_distance = d;
    }
  }
  return best ? best : beginning_with(looked_for, known);
}

std::string guess_among_offered(std::string_view word, std::string_view complaint) {
  if (!complaint.starts_with(quoted(word))) return {};
  const auto text = without_brackets(complaint.substr(quoted(word).size()));
  for (const std::string_view before : {"; write one of ", "; write ", " is none of ", " is neither "}) {
    const auto at = text.find(before);
    if (at == std::string::npos) continue;
    const auto near = nearest(word, words_of(text.substr(at + before.size())));
    return near ? "; did you mean " + *near + "?" : "";
  }
  return {};
}

}  // namespace ym::spec
