#include "executor/launcher/words.h"

#include <cctype>

namespace ym {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kNeedsShell = "`*?[]|&;<>()\n\r!{}";

bool name_start(char c) { return c == '_' || std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool name_part(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

class Splitter {
 public:
  Splitter(std::string_view line, const VariableLookup& variable) : rest_(line), variable_(variable) {}

  std::optional<std::vector<std::string>> split() {
    while (!rest_.empty())
      if (!step()) return std::nullopt;
    end_word();
    // NAME=value at the front is an assignment, not a program.
    if (words_.empty() || words_.front().find('=') != std::string::npos) return std::nullopt;
    return std::move(words_);
  }

 private:
  bool step() {
    const char c = rest_.front();
    if (kBlanks.find(c) != std::string_view::npos) {
      end_word();
      rest_.remove_prefix(1);
      return true;
    }
    if (c == '\'') return single_quoted();
    if (c == '"') return double_quoted();
    if (c == '\\') return escaped();
    if (c == '$') return expand(true);
    const bool special_at_start = !in_word_ && (c == '#' || c == '~');
    if (special_at_start || kNeedsShell.find(c) != std::string_view::npos) return false;
    put(c);
    rest_.remove_prefix(1);
    return true;
  }

  bool single_quoted() {
    const auto end = rest_.find('\'', 1);
    if (end == std::string_view::npos) return false;
    in_word_ = true;
    word_ += rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool double_quoted() {
    in_word_ = true;
    rest_.remove_prefix(1);
    while (!rest_.empty() && rest_.front() != '"') {
      const char c = rest_.front();
      if (c == '`') return false;
      if (c == '$') {
        if (!expand(false)) return false;
        continue;
      }
      const bool escape =
          c == '\\' && rest_.size() > 1 && std::string_view("$`\"\\").find(rest_[1]) != std::string::npos;
      if (c == '\\' && !escape && rest_.size() > 1 && rest_[1] == '\n') return false;
      if (escape) rest_.remove_prefix(1);
      put(rest_.front());
      rest_.remove_prefix(1);
    }
    if (rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool escaped() {
    if (rest_.size() < 2 || rest_[1] == '\n') return false;
    put(rest_[1]);
    rest_.remove_prefix(2);
    return true;
  }

  // The next character is a '$'.
  bool expand(bool split_value) {
    const auto name = take_name();
    if (!name) return false;
    for (const char c : variable_(*name)) {
      if (split_value && (c == '\n' || kBlanks.find(c) != std::string_view::npos)) end_word();
      // The value would be a pattern for the shell.
      else if (split_value && std::string_view("*?[").find(c) != std::string_view::npos) return false;
      else put(c);
    }
    return true;
  }

  std::optional<std::string> take_name() {
    const bool braced = rest_.size() > 1 && rest_[1] == '{';
    std::size_t end = braced ? 2 : 1;
    const auto begin = end;
    if (end >= rest_.size() || !name_start(rest_[end])) return std::nullopt;
    while (end < rest_.size() && name_part(rest_[end])) ++end;
    std::string name(rest_.substr(begin, end - begin));
    if (braced && (end >= rest_.size() || rest_[end] != '}')) return std::nullopt;
    rest_.remove_prefix(braced ? end + 1 : end);
    return name;
  }

  void put(char c) {
    in_word_ = true;
    word_ += c;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::string_view rest_;
  const VariableLookup& variable_;
  std::vector<std::string> words_;
  std::string word_;
  bool in_word_ = false;
};

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view line, const VariableLookup& variable) {
  return Splitter{line, variable}.split();
}

}  // namespace ym
