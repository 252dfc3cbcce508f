// Splits a script for sbatch into its parts, without interpreting them.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "spec/convert/sbatch/sbatch.h"

namespace ym::convert {
namespace {

struct Letter {
  char letter;
  std::string_view name;
};
constexpr std::array<Letter, 28> kLetters{
    {{'A', "account"},  {'a', "array"},      {'b', "begin"},   {'C', "constraint"}, {'c', "cpus-per-task"},
     {'D', "chdir"},    {'d', "dependency"}, {'e', "error"},   {'F', "nodefile"},   {'G', "gpus"},
     {'H', "hold"},     {'i', "input"},      {'k', "no-kill"}, {'J', "job-name"},   {'L', "licenses"},
     {'M', "clusters"}, {'N', "nodes"},      {'n', "ntasks"},  {'o', "output"},     {'p', "partition"},
     {'Q', "quiet"},    {'q', "qos"},        {'t', "time"},    {'v', "verbose"},    {'s', "oversubscribe"},
     {'w', "nodelist"}, {'W', "wait"},       {'x', "exclude"}}};
constexpr std::array<std::string_view, 16> kFlags{
    "hold",     "oversubscribe", "wait",          "exclusive", "requeue", "no-requeue", "contiguous",   "overcommit",
    "parsable", "spread-job",    "use-min-nodes", "no-kill",   "quiet",   "verbose",    "get-user-env", "reboot"};
constexpr std::string_view kMark = "#SBATCH", kBlanksOfScript = " \t\r\n";

std::string_view long_name(char letter) {
  const auto* found = std::ranges::find(kLetters, letter, &Letter::letter);
  return found == kLetters.end() ? std::string_view() : found->name;
}

// The words of a line, without quotes. A word that begins with # ends the line.
Words words_of(std::string_view line) {
  Words words;
  std::string word;
  bool any = false, escaped = false;
  char quote = 0;
  for (const char c : line) {
    if (quote == 0 && c == '#' && !any && !escaped) break;
    if (std::exchange(escaped, !escaped && c == '\\')) {
      word += c;
      any = true;
    } else if (escaped) {
      continue;
    } else if (quote == 0 && kBlanksOfScript.contains(c)) {
      if (any) words.push_back(std::exchange(word, {}));
      any = false;
    } else if (quote == 0 ? c == '"' || c == '\'' : c == quote) {
      quote = quote == 0 ? c : 0;
      any = true;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

bool is_flag(std::string_view name) { return std::ranges::find(kFlags, name) != kFlags.end(); }

void take_options(std::string_view line, int number, std::vector<ScriptOption>& options) {
  const auto words = words_of(line);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    ScriptOption option{.name = std::string(word), .value = {}, .line = number};
    bool has_value = false;
    if (!word.starts_with('-')) {
      has_value = true;
      option.name.swap(option.value);
    } else if (word.starts_with("--")) {
      const auto equals = word.find('=');
      has_value = equals != word.npos;
      option.name = word.substr(2, has_value ? equals - 2 : equals);
      if (has_value) option.value = word.substr(equals + 1);
    } else if (word.size() > 1 && !long_name(word[1]).empty()) {
      option.name = long_name(word[1]);
      has_value = word.size() > 2;
      option.value = word.substr(2);
    }
    if (!has_value && !is_flag(option.name) && i + 1 < words.size() && !words[i + 1].starts_with('-'))
      option.value = words[++i];
    options.push_back(std::move(option));
  }
}

// The text after the mark of a line that looks like options, such as "  #SBATCH -n 4" and "# SBATCH -n 4". Empty for
// all other lines, including prose.
std::string_view meant_as_options(std::string_view line) {
  const auto skip = [&](std::string_view what) {
    line.remove_prefix(std::min(line.find_first_not_of(what), line.size()));
  };
  skip(kBlanksOfScript);
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip(kBlanksOfScript);
  if (!line.starts_with(kMark.substr(1))) return {};
  line.remove_prefix(kMark.size() - 1);
  const auto blanks = line.find_first_not_of(kBlanksOfScript);
  return blanks != 0 && blanks != line.npos && line[blanks] == '-' ? line : std::string_view();
}

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && value >= 0 && value < 1'000'000'000 ? std::optional(value) : std::nullopt;
}

}  // namespace

bool is_script(std::string_view text) {
  return text.starts_with("#!") || text.contains("\n#SBATCH") || text.starts_with("#SBATCH");
}

Script read_script(std::string_view text) {
  Script script;
  for (int line = 1; !text.empty(); ++line) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    const auto here = text.substr(0, end);
    text.remove_prefix(end);
    const auto first = here.find_first_not_of(kBlanksOfScript);
    if (line == 1 && here.starts_with("#!")) {
      script.interpreter = words_of(here.substr(2));
    } else if (script.command_line == 0 && here.starts_with(kMark)) {
      take_options(here.substr(kMark.size()), line, script.options);
    } else {
      // sbatch stops reading at the first line that is not a comment.
      const bool comment = first == here.npos || here[first] == '#';
      if (!comment && script.command_line == 0) script.command_line = line;
      take_options(meant_as_options(here), line, script.unread);
      if (script.body.empty()) script.body_line = line;
      if (script.body.empty() && first == here.npos) continue;
      script.body += here;
      script.body_lines.push_back(line);
    }
  }
  return script;
}

std::optional<std::int64_t> parse_slurm_time(std::string_view text) {
  std::int64_t days = 0;
  const auto dash = text.find('-');
  if (dash != text.npos) {
    const auto read = number_in(text.substr(0, dash));
    if (!read) return std::nullopt;
    days = *read;
    text.remove_prefix(dash + 1);
  }
  std::array<std::int64_t, 3> parts{};
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const auto colon = text.find(':');
    const auto read = number_in(text.substr(0, colon));
    if (!read || count == parts.size()) return std::nullopt;
    parts.at(count) = *read;
    more = colon != text.npos;
    if (more) text.remove_prefix(colon + 1);
  }
  const auto [a, b, c] = parts;
  if (dash != std::string_view::npos) return days * 86'400 + a * 3'600 + b * 60 + c;
  return count == 3 ? a * 3'600 + b * 60 + c : a * 60 + b;
}

std::optional<std::int64_t> parse_slurm_memory(std::string_view text) {
  constexpr std::string_view kUnits = "KMGT";
  std::int64_t unit = std::int64_t{1} << 20;
  if (text.ends_with('B') || text.ends_with('b')) text.remove_suffix(1);
  const auto at = text.empty() ? kUnits.npos : kUnits.find(static_cast<char>(text.back() & ~0x20));
  if (at != kUnits.npos) {
    unit = std::int64_t{1} << (10 * (at + 1));
    text.remove_suffix(1);
  }
  const auto read = number_in(text);
  if (!read || *read > std::numeric_limits<std::int64_t>::max() / unit) return std::nullopt;
  return *read * unit;
}

}  // namespace ym::convert
