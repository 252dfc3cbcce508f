#include "spec/job/program.h"

#include <fmt/format.h>

#include <array>

#include "spec/text/text_check.h"

namespace ym::spec {
namespace {

std::optional<std::string> read_word(const Field& field) {
  auto word = read_scalar_text(field);
  if (!word || word->size() <= kMaxWordBytes) return word;
  field.wrong(fmt::format("is {} bytes long; one argument may have at most {}", word->size(), kMaxWordBytes));
  return std::nullopt;
}

std::optional<Program> read_words(const Field& field) {
  const auto items = read_list(field, "words");
  if (!items) return std::nullopt;
  if (items->empty() || items->size() > kMaxWords) {
    field.wrong(items->empty() ? "is empty; write the program and its arguments"
                               : fmt::format("has {} words; at most {} are allowed", items->size(), kMaxWords));
    return std::nullopt;
  }
  Program program;
  std::size_t bytes = 0;
  for (const auto& item : *items) {
    auto word = read_word(item);
    if (!word) return std::nullopt;
    bytes += word->size();
    program.words.push_back(std::move(*word));
  }
  if (bytes > kMaxProgramBytes) {
    field.wrong(fmt::format("has {} bytes; at most {} are allowed", bytes, kMaxProgramBytes));
    return std::nullopt;
  }
  if (!program.words.front().empty()) return program;
  items->front().wrong("is empty; the first word is the program");
  return std::nullopt;
}

std::optional<Program> read_command_line(const Field& field) {
  auto word = read_word(field);
  if (!word) return std::nullopt;
  if (word->find_first_not_of(" \t\r\n") == std::string::npos) {
    field.wrong("is empty; write what to run");
    return std::nullopt;
  }
  return Program{.form = Program::Form::shell, .words = {std::move(*word)}};
}

bool is_variable_name(std::string_view name) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  if (name.empty() || name.size() > 256 || kLetters.find(name.front()) == std::string_view::npos) return false;
  return std::ranges::all_of(name, [&](char c) { return kLetters.find(c) != kLetters.npos || (c >= '0' && c <= '9'); });
}

// Nothing: the job may set a variable of this name.
std::optional<std::string> refusal(std::string_view name) {
  if (!is_variable_name(name))
    return fmt::format("{} is not the name of a variable; use letters, digits and '_', not beginning with a digit",
                       quoted(name));
  if (name.starts_with("SLURM_"))
    return "SLURM_ variables cannot be set: programs would take them for variables of a Slurm job";
  if (name.starts_with("YM_")) return "YM_ variables cannot be set: Yardmaster sets them";
  return std::nullopt;
}

// Values may be secrets, so no message shows one.
std::optional<std::string> read_variable(const Field& field) {
  if (field.value->kind == Value::Kind::null) {
    field.wrong("has no value; taking variables from the submitter's environment is not offered yet, write the value");
    return std::nullopt;
  }
  auto value = read_scalar_text(field);
  if (!value || value->find_first_of("\r\n") == std::string::npos) return value;
  field.wrong("has a line break; the value of a variable is one line");
  return std::nullopt;
}

std::vector<std::string_view> words_of(const Program& program) {
  std::vector<std::string_view> words(program.words.begin(), program.words.end());
  if (program.form == Program::Form::argv) return words;
  words.clear();
  std::string_view rest = program.words.front();
  while (words.size() < 16) {
    const auto begin = rest.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) break;
    rest.remove_prefix(begin);
    words.push_back(rest.substr(0, rest.find_first_of(" \t\r\n;&|")));
    rest.remove_prefix(std::max<std::size_t>(words.back().size(), 1));
  }
  return words;
}

std::string_view base_name(std::string_view path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool is_interpreter(std::string_view word) {
  constexpr std::array<std::string_view, 6> kNames{"sh", "bash", "env", "torchrun", "exec", "python"};
  return std::ranges::find(kNames, word) != kNames.end() || word.starts_with("python3");
}

std::string_view script_of(const std::vector<std::string_view>& words) {
  for (const auto word : words) {
    if (word.starts_with('-')) break;  // the word after an option may be its value
    if (!is_interpreter(base_name(word))) return base_name(word);
  }
  return words.empty() ? std::string_view() : base_name(words.front());
}

}  // namespace

std::optional<Program> read_program(const Field& field) {
  if (field.value->kind == Value::Kind::list) return read_words(field);
  if (field.value->kind == Value::Kind::string) return read_command_line(field);
  field.wrong("must be a list of words, such as [python, train.py], or a string for the shell");
  return std::nullopt;
}

std::optional<std::map<std::string, std::string>> read_environment(const Field& field) {
  const auto entries = read_entries(field);
  if (!entries) return std::nullopt;
  std::map<std::string, std::string> env;
  std::size_t bytes = 0;
  for (const auto& [name, entry] : *entries) {
    if (auto why = refusal(name)) {
      entry.wrong(std::move(*why));
    } else if (auto value = read_variable(entry)) {
      bytes += name.size() + value->size() + 2;
      env.emplace(name, std::move(*value));
    }
  }
  if (entries->size() > kMaxVariables)
    field.wrong(fmt::format("has {} variables; at most {} are allowed", entries->size(), kMaxVariables));
  if (bytes > kMaxEnvironmentBytes)
    field.wrong(fmt::format("has {} bytes; at most {} are allowed", bytes, kMaxEnvironmentBytes));
  return env;
}

std::string name_of(const Program& program) {
  std::string_view script = script_of(words_of(program));
  for (const std::string_view ending : {".py", ".sh"})
    if (script.ends_with(ending)) script.remove_suffix(ending.size());
  std::string name;
  for (const char c : script.substr(0, 63)) {
    const bool usable = is_name(std::string_view(&c, 1)) || (!name.empty() && (c == '_' || c == '-' || c == '.'));
    if (usable && !(c == '.' && name.back() == '.')) name += c;
    else if (!usable && !name.empty()) name += '-';
  }
  return is_name(name) ? name : "job";
}

}  // namespace ym::spec
