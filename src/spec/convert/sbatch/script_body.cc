#include "spec/convert/sbatch/script_body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "spec/convert/sbatch/interpreter.h"
#include "spec/convert/sbatch/script_commands.h"
#include "spec/convert/sbatch/shell_lines.h"
#include "spec/convert/sbatch/slurm_variables.h"

namespace ym::convert {
namespace {

// replacement; empty: there is none
std::string instead_of(const std::string& name, const BodyOptions& options) {
  if (const auto* number = variable(options.numbers, name)) return *number;
  return std::string(instead_of_slurm_variable(name));
}

void warn_of_variables(const ShellLine& line, const std::vector<std::string>& read, const BodyOptions& options,
                       const Part& part, Remarks& remarks) {
  std::vector<std::string> found, unknown;
  for (const auto& name : read) {
    if (options.array && is_set_by_array_head(name)) continue;
    const auto ours = instead_of(name, options);
    if (ours.empty()) unknown.push_back(name);
    else found.push_back(fmt::format("{} for {}", ours, name));
  }
  if (!found.empty())
    warn_at(line.number, part, remarks, fmt::format("reads Slurm variables; write {}", fmt::join(found, ", ")));
  if (!unknown.empty())
    warn_at(line.number, part, remarks,
            fmt::format("reads {}, which is not set here; write its value instead", fmt::join(unknown, ", ")));
}

// Each variable, at the line that reads it first.
void warn_of_variables(const std::vector<ShellLine>& lines, const BodyOptions& options, const Part& part,
                       Remarks& remarks) {
  std::vector<std::string> said;
  for (const auto& line : lines) {
    auto read = slurm_variables_in(line.code);
    std::erase_if(read, [&](const auto& name) { return std::ranges::find(said, name) != said.end(); });
    said.insert(said.end(), read.begin(), read.end());
    warn_of_variables(line, read, options, part, remarks);
  }
}

// With -l, if the body needs it.
Words interpreter_of(const Script& script, const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks) {
  Words interpreter = script.interpreter;
  if (!is_shell_of_sh(interpreter) || is_login_shell(interpreter)) return interpreter;
  const auto found =
      std::ranges::find_if(lines, [](const ShellLine& line) { return !wants_login_shell(line.code).empty(); });
  if (found == lines.end()) return interpreter;
  interpreter.emplace_back("-l");
  note_at(found->number, part, remarks,
          fmt::format("calls {}, which a shell knows from its login profile: it runs with -l, because the job does not "
                      "get the environment of the submitting shell",
                      wants_login_shell(found->code)));
  return interpreter;
}

}  // namespace

void take_body(const Script& script, const BodyOptions& options, Part& part, Remarks& remarks) {
  if (script.interpreter.empty()) return part.at.wrong("has no #! in its first line; write #!/bin/bash");
  if (script.body.empty()) return part.at.wrong("has no commands after its options");
  const auto lines = shell_lines(script);
  const auto head = options.array ? array_head(*options.array, slurm_variables_in(script.body)) : "";
  part.run = words_to_run(interpreter_of(script, lines, part, remarks), head,
                          script.body.ends_with('\n') ? script.body : script.body + "\n");
  warn_of_variables(lines, options, part, remarks);
  warn_of_slurm_commands(lines, part, remarks);
  warn_of_arguments(lines, script.interpreter, part, remarks);
  remark_on_tasks(lines, options.tasks_per_node, part, remarks);
  warn_of_own_torchrun(lines, part, remarks);
}

std::vector<std::string> node_patterns(const std::string& list) {
  std::vector<std::string> patterns(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ',' && depth == 0) patterns.emplace_back();
    else patterns.back() += c;
  }
  std::erase(patterns, "");
  return patterns;
}

}  // namespace ym::convert
