#include "spec/convert/kubernetes/completion_index.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/convert/sbatch/interpreter.h"

namespace ym::convert {
namespace {

// "$(NAME)": Kubernetes replaces it, a shell takes it for a command.
std::string reference(std::string_view name) { return fmt::format("$({})", name); }

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

bool has_reference(const Part& part, const std::vector<std::string>& names) {
  return std::ranges::any_of(part.run, [&](const std::string& word) {
    return std::ranges::any_of(names, [&](const auto& name) { return word.contains(reference(name)); });
  });
}

// Quotes a word for a shell, but leaves variables outside of the quotes.
std::string quoted_word(std::string word, const std::vector<std::string>& names) {
  replace_all(word, "'", "'\\''");
  for (const auto& name : names) replace_all(word, reference(name), fmt::format("'\"${}\"'", name));
  return fmt::format("'{}'", word);
}

std::string line_of_words(const Words& words, const std::vector<std::string>& names) {
  std::string line = "exec";
  for (const auto& word : words) line += " " + quoted_word(word, names);
  return line + "\n";
}

// "sh -c SCRIPT", with or without arguments after it.
bool is_script_of_shell(const Words& run) {
  return run.size() > 2 && is_shell_of_sh({run[0]}) && run[1].starts_with('-') && run[1].ends_with('c');
}

}  // namespace

std::vector<std::string> index_variables(const Part& part) {
  std::vector<std::string> names{std::string(kCompletionIndex)};
  for (const auto& unset : part.unset)
    if (unset.index && unset.name != kCompletionIndex) names.push_back(unset.name);
  std::erase_if(names, [&](const auto& name) { return variable(part.env, name) != nullptr; });
  return names;
}

void set_only_index(Part& part) {
  for (const auto& name : index_variables(part)) set_variable(part.env, name, "0");
}

void tell_index(Part& part, std::string_view place) {
  const auto names = index_variables(part);
  if (names.empty()) return;
  std::string head = fmt::format("# The index of an Indexed Job's pod counts from 0, as {} does.\n", place);
  for (const auto& name : names) head += fmt::format("export {}=\"${}\"\n", name, place);
  if (is_script_of_shell(part.run)) {
    for (const auto& name : names) replace_all(part.run[2], reference(name), fmt::format("${}", name));
    part.run[2].insert(0, head);
  } else if (has_reference(part, names)) {
    part.run = {"/bin/sh", "-c", head + line_of_words(part.run, names)};
  } else {
    part.run.insert(part.run.begin(), {"/bin/sh", "-c", head + "exec \"$@\"\n", "sh"});
  }
}

}  // namespace ym::convert
