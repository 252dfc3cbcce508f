#include "spec/convert/expand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "spec/convert/kubernetes/completion_index.h"

namespace ym::convert {
namespace {

struct Known {
  std::string_view name, instead;
};
// Variables that the controllers of Kubernetes set for their pods.
constexpr std::array<Known, 4> kOfControllers{{{"JOB_COMPLETION_INDEX", "YM_NODE_RANK, or in an array YM_ARRAY_INDEX"},
                                               {"JOBSET_NAME", "YM_JOB_NAME"},
                                               {"REPLICATED_JOB_NAME", "YM_GROUP"},
                                               {"JOB_GLOBAL_INDEX", "YM_NODE_RANK"}}};

// In the part's words, or in the value of a variable.
bool mentions(const Part& part, std::string_view name) {
  return std::ranges::any_of(part.run, [&](const std::string& word) { return word.contains(name); }) ||
         std::ranges::any_of(part.env, [&](const auto& each) { return each.second.contains(name); });
}

void warn_of_unknown(const Part& part, std::vector<std::string> unknown, Remarks& remarks) {
  std::ranges::sort(unknown);
  const auto rest = std::ranges::unique(unknown);
  unknown.erase(rest.begin(), rest.end());
  // In a script, $(date) is a command of the shell.
  std::erase_if(unknown, [](const std::string& name) {
    return name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != std::string::npos;
  });
  if (!unknown.empty())
    remarks.warn(part.at, fmt::format("has $({}), which stays unchanged: its value is not known here",
                                      fmt::join(unknown, "), $(")));
}

}  // namespace

std::string expand(std::string_view text, const Variables& env, std::vector<std::string>& unknown) {
  std::string out;
  while (!text.empty()) {
    const auto dollar = text.find('$');
    out += text.substr(0, dollar);
    if (dollar == text.npos) break;
    text.remove_prefix(dollar + 1);
    const auto close = text.starts_with('(') ? text.find(')') : text.npos;
    out += '$';
    if (text.starts_with('$')) {
      text.remove_prefix(1);
    } else if (close != text.npos) {
      const std::string name(text.substr(1, close - 1));
      text.remove_prefix(close + 1);
      const auto* value = variable(env, name);
      if (value) out.pop_back(), out += *value;
      else out += "(" + name + ")", unknown.push_back(name);
    }
  }
  return out;
}

void settle_words(Part& part, Remarks& remarks, std::string_view hint) {
  std::vector<std::string> unknown;
  Variables env;
  // A value may refer only to variables before it.
  for (const auto& [name, value] : part.env) set_variable(env, name, expand(value, env, unknown));
  part.env = std::move(env);
  std::vector<std::string> in_words;
  for (const auto* words : {&part.command, &part.args})
    if (*words)
      for (const auto& word : **words) part.run.push_back(expand(word, part.env, in_words));
  if (part.indexed)
    for (const auto& name : index_variables(part)) std::erase(in_words, name);
  unknown.insert(unknown.end(), in_words.begin(), in_words.end());
  warn_of_unknown(part, std::move(unknown), remarks);
  if (part.run.empty()) part.at.wrong(fmt::format("has no program; {}", hint));
  else if (!part.command || part.command->empty())
    part.at.wrong("has args and no command: the entry point of its image is not known here; write it as command");
}

void warn_of_controllers(const Part& part, Remarks& remarks) {
  for (const auto& [name, instead] : kOfControllers) {
    const bool told = name == kCompletionIndex && tells_index(part);
    if (!told && mentions(part, name) && !variable(part.env, name))
      remarks.warn(part.at, fmt::format("runs a program that reads {}, which is not set here; read {}", name, instead));
  }
}

}  // namespace ym::convert
