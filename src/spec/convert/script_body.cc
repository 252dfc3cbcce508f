#include "spec/convert/script_body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace ym::convert {
namespace {

struct Instead {
  std::string_view slurm, ours;
};
constexpr std::array<Instead, 15> kVariables{{{"SLURM_ARRAY_TASK_ID", "YM_ARRAY_INDEX"},
                                              {"SLURM_ARRAY_JOB_ID", "YM_JOB_ID"},
                                              {"SLURM_JOB_ID", "YM_JOB_ID"},
                                              {"SLURM_JOBID", "YM_JOB_ID"},
                                              {"SLURM_JOB_NAME", "YM_JOB_NAME"},
                                              {"SLURM_JOB_NUM_NODES", "YM_NODES"},
                                              {"SLURM_NNODES", "YM_NODES"},
                                              {"SLURM_JOB_NODELIST", "YM_NODE_IPS"},
                                              {"SLURM_NODELIST", "YM_NODE_IPS"},
                                              {"SLURM_NODEID", "YM_NODE_RANK"},
                                              {"SLURM_PROCID", "YM_NODE_RANK"},
                                              {"SLURM_NTASKS", "YM_NODES"},
                                              {"SLURM_GPUS_ON_NODE", "YM_GPUS_PER_NODE"},
                                              {"SLURM_RESTART_COUNT", "YM_ATTEMPT"},
                                              {"SLURM_", "YM_ variables"}}};

// Whether the text has that name, and no longer one.
bool names(std::string_view text, std::string_view name) {
  const auto goes_on = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  for (auto at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if (name.ends_with('_') || end == text.size() || !goes_on(text[end])) return true;
  }
  return false;
}

bool has_command(std::string_view body, std::string_view command) {
  for (auto at = body.find(command); at != body.npos; at = body.find(command, at + 1)) {
    const auto end = at + command.size();
    const bool begins = at == 0 || std::string_view(" \t\n;&|(").contains(body[at - 1]);
    if (begins && (end == body.size() || std::string_view(" \t\n\\").contains(body[end]))) return true;
  }
  return false;
}

void warn_of_variables(const Script& script, const Part& part, Remarks& remarks) {
  std::vector<std::string> found;
  for (const auto& [slurm, ours] : kVariables)
    if (names(script.body, slurm) && (slurm != "SLURM_" || found.empty()))
      found.push_back(fmt::format("{} for {}", ours, slurm));
  if (!found.empty())
    remarks.warn(part.at, fmt::format("reads variables of Slurm's; write {}", fmt::join(found, ", ")));
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

}  // namespace

void take_body(const Script& script, std::int64_t tasks_per_node, Part& part, Remarks& remarks) {
  if (script.interpreter.empty()) part.at.wrong("has no first line with #!; write #!/bin/bash");
  if (script.body.empty()) part.at.wrong("has nothing to run below its options");
  part.run = script.interpreter;
  part.run.emplace_back("-c");
  part.run.push_back(script.body.ends_with('\n') ? script.body : script.body + "\n");
  warn_of_variables(script, part, remarks);
  warn_of_tasks(script, tasks_per_node, part, remarks);
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
