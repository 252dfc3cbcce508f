#include "spec/convert/script_body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "spec/convert/interpreter.h"
#include "spec/convert/slurm_variables.h"

namespace ym::convert {
namespace {

bool has_command(std::string_view body, std::string_view command) {
  for (auto at = body.find(command); at != body.npos; at = body.find(command, at + 1)) {
    const auto end = at + command.size();
    const bool begins = at == 0 || std::string_view(" \t\n;&|(").contains(body[at - 1]);
    if (begins && (end == body.size() || std::string_view(" \t\n\\").contains(body[end]))) return true;
  }
  return false;
}

// What is put in place of it; empty: nothing can be.
std::string instead_of(const std::string& name, const BodyOptions& options) {
  if (const auto* number = variable(options.numbers, name)) return *number;
  return std::string(instead_of_slurm_variable(name));
}

void warn_of_variables(const std::vector<std::string>& read, const BodyOptions& options, const Part& part,
                       Remarks& remarks) {
  std::vector<std::string> found, unknown;
  for (const auto& name : read) {
    if (options.array && is_set_by_array_head(name)) continue;
    const auto ours = instead_of(name, options);
    if (ours.empty()) unknown.push_back(name);
    else found.push_back(fmt::format("{} for {}", ours, name));
  }
  if (!found.empty())
    remarks.warn(part.at, fmt::format("reads variables of Slurm's; write {}", fmt::join(found, ", ")));
  if (!unknown.empty())
    remarks.warn(part.at, fmt::format("reads {}, which nobody sets here; write what is meant in place of it",
                                      fmt::join(unknown, ", ")));
}

void warn_of_tasks(const Script& script, std::int64_t per_node, const Part& part, Remarks& remarks) {
  if (has_command(script.body, "srun") || has_command(script.body, "mpirun"))
    return remarks.warn(part.at,
                        "starts its tasks by srun; here it runs once on each node by itself: take srun away, and "
                        "for one process a GPU write launcher: torchrun");
  if (part.nodes > 1)
    remarks.warn(part.at,
                 fmt::format("ran on the first of its nodes, and here runs on each of the {}; YM_NODE_RANK tells "
                             "which it is",
                             part.nodes));
  else if (per_node > 1)
    remarks.note(part.at, fmt::format("has {} tasks on a node and no srun; it runs once", per_node));
}

// With -l, where the body wants it.
Words interpreter_of(const Script& script, const Part& part, Remarks& remarks) {
  Words interpreter = script.interpreter;
  const auto wanted = wants_login_shell(script.body);
  if (wanted.empty() || !is_shell_of_sh(interpreter) || is_login_shell(interpreter)) return interpreter;
  interpreter.emplace_back("-l");
  remarks.note(part.at, fmt::format("calls {}, which its shell knows by the profile of a login: it is run with -l, as "
                                    "nothing of the shell that submits it goes along",
                                    wanted));
  return interpreter;
}

}  // namespace

void take_body(const Script& script, const BodyOptions& options, Part& part, Remarks& remarks) {
  if (script.interpreter.empty()) part.at.wrong("has no first line with #!; write #!/bin/bash");
  if (script.body.empty()) part.at.wrong("has nothing to run below its options");
  const auto read = slurm_variables_in(script.body);
  part.run = words_to_run(interpreter_of(script, part, remarks), options.array ? array_head(*options.array, read) : "",
                          script.body.ends_with('\n') ? script.body : script.body + "\n");
  warn_of_variables(read, options, part, remarks);
  warn_of_tasks(script, options.tasks_per_node, part, remarks);
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
