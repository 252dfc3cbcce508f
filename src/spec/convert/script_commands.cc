#include "spec/convert/script_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ym::convert {
namespace {

constexpr std::array<std::string_view, 8> kOfMpi{"mpirun",  "mpiexec", "mpiexec.hydra", "mpirun_rsh",
                                                 "orterun", "prun",    "ibrun",         "aprun"};
constexpr std::string_view kHostNames = "scontrol show hostname";
constexpr std::array<Advice, 10> kOfSlurm{
    {{"scontrol", "ym get shows a job, ym hold and ym retry are for waiting and ended ones"},
     {"sbatch", "a job is made by ym submit"},
     {"salloc", "a job is made by ym submit"},
     {"squeue", "write ym ps"},
     {"sacct", "write ym get"},
     {"sstat", "write ym get"},
     {"scancel", "write ym cancel"},
     {"sinfo", "write ym nodes"},
     {"sbcast", "each node copies by itself, from a folder that all of them see"},
     {"sattach", "write ym logs -f"}}};

// Empty: the line calls none of them.
std::string_view starter_of_mpi(const ShellLine& line) {
  const auto* found = std::ranges::find_if(kOfMpi, [&](std::string_view name) { return calls(line, name); });
  return found == kOfMpi.end() ? std::string_view() : *found;
}

bool says_how_many(const std::string& command) {
  constexpr std::array<std::string_view, 4> kCounts{" -n ", " -np ", " --np ", " -N "};
  return std::ranges::any_of(kCounts, [&](std::string_view option) { return command.contains(option); });
}

// There is no launcher for MPI: what it starts is on its own node.
void remark_on_mpi(const ShellLine& line, std::string_view name, bool counted, std::int64_t per_node, const Part& part,
                   Remarks& remarks) {
  if (part.nodes > 1)
    return warn_at(line.number, part, remarks,
                   fmt::format("starts its ranks by {}, which Slurm tells the nodes; here it runs on each of the {} by "
                               "itself, and there is no launcher for MPI: ask for one node that all ranks fit on, or, "
                               "if it is a program of torch, write launcher: torchrun",
                               name, part.nodes));
  if (!counted)
    return warn_at(line.number, part, remarks,
                   fmt::format("starts its ranks by {}, which Slurm tells how many; nobody does here: write {} -n {}",
                               name, name, per_node));
  note_at(
      line.number, part, remarks,
      fmt::format("starts its ranks by {}, which runs as it is, on its one node; there is no launcher for MPI", name));
}

void warn_of_srun(const ShellLine& line, const Part& part, Remarks& remarks) {
  warn_at(line.number, part, remarks,
          "starts its tasks by srun; here it runs once on each node by itself: take srun away, and for one process a "
          "GPU write launcher: torchrun");
}

void warn_of_host_names(const ShellLine& line, bool told, const Part& part, Remarks& remarks) {
  warn_at(line.number, part, remarks,
          fmt::format("asks scontrol for the names of its nodes, which only Slurm knows; take it away: {}YM_NODE_IPS "
                      "has the addresses of all, with commas in between",
                      told ? "MASTER_ADDR is the first node's, MASTER_PORT a port that is free there, " : ""));
}

}  // namespace

void remark_on_tasks(const std::vector<ShellLine>& lines, std::int64_t per_node, const Part& part, Remarks& remarks) {
  const auto* srun = line_that_calls(lines, "srun");
  if (srun) warn_of_srun(*srun, part, remarks);
  bool started = srun != nullptr;
  for (const auto& line : lines) {
    const auto name = starter_of_mpi(line);
    if (name.empty()) continue;
    started = true;
    remark_on_mpi(line, name, says_how_many(whole_command(lines, line)), per_node, part, remarks);
  }
  if (started) return;
  if (part.nodes > 1)
    remarks.warn(part.at,
                 fmt::format("ran on the first of its nodes, and here runs on each of the {}; YM_NODE_RANK tells "
                             "which it is",
                             part.nodes));
  else if (per_node > 1)
    remarks.note(part.at, fmt::format("has {} tasks on a node and no srun; it runs once", per_node));
}

void warn_of_slurm_commands(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks) {
  const bool told = is_told_where_to_meet(lines, part);
  for (const auto& line : lines) {
    const bool names = line.code.contains(kHostNames);
    if (names) warn_of_host_names(line, told, part, remarks);
    for (const auto& [command, advice] : kOfSlurm)
      if (calls(line, command) && !(names && command == "scontrol"))
        warn_at(line.number, part, remarks, fmt::format("calls {}, which only Slurm has; {}", command, advice));
  }
}

}  // namespace ym::convert
