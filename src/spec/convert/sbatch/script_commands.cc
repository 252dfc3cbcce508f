#include "spec/convert/sbatch/script_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ym::convert {
namespace {

constexpr std::array<std::string_view, 8> kOfMpi{"mpirun",  "mpiexec", "mpiexec.hydra", "mpirun_rsh",
                                                 "orterun", "prun",    "ibrun",         "aprun"};
constexpr std::string_view kHostNames = "scontrol show hostname";
constexpr std::array<Advice, 10> kOfSlurm{
    {{"scontrol", "ym get shows a job; ym hold and ym retry act on waiting and ended ones"},
     {"sbatch", "ym submit makes a job"},
     {"salloc", "ym submit makes a job"},
     {"squeue", "write ym ps"},
     {"sacct", "write ym get"},
     {"sstat", "write ym get"},
     {"scancel", "write ym cancel"},
     {"sinfo", "write ym nodes"},
     {"sbcast", "let each node copy for itself, from a folder that all nodes see"},
     {"sattach", "write ym logs -f"}}};

// Empty: the line calls none of these commands.
std::string_view starter_of_mpi(const ShellLine& line) {
  const auto* found = std::ranges::find_if(kOfMpi, [&](std::string_view name) { return calls(line, name); });
  return found == kOfMpi.end() ? std::string_view() : *found;
}

bool says_how_many(const std::string& command) {
  constexpr std::array<std::string_view, 4> kCounts{" -n ", " -np ", " --np ", " -N "};
  return std::ranges::any_of(kCounts, [&](std::string_view option) { return command.contains(option); });
}

// MPI has no launcher here: mpirun starts all ranks on its own node.
void remark_on_mpi(const ShellLine& line, std::string_view name, bool counted, std::int64_t per_node, const Part& part,
                   Remarks& remarks) {
  if (part.nodes > 1)
    return warn_at(line.number, part, remarks,
                   fmt::format("starts its ranks by {}, to which Slurm gives the nodes; here each of the {} nodes runs "
                               "it for itself, and MPI has no launcher: request one node for all ranks or, if it is a "
                               "program of torch, write launcher: torchrun",
                               name, part.nodes));
  if (!counted)
    return warn_at(line.number, part, remarks,
                   fmt::format("starts its ranks by {}, to which Slurm gives the number of ranks; here write {} -n {}",
                               name, name, per_node));
  note_at(line.number, part, remarks,
          fmt::format("starts its ranks by {}, which works on its one node; MPI has no launcher here", name));
}

void warn_of_srun(const ShellLine& line, const Part& part, Remarks& remarks) {
  warn_at(line.number, part, remarks,
          "starts its tasks by srun; here each node runs it once: remove srun, and for one process on each GPU write "
          "launcher: torchrun");
}

void warn_of_host_names(const ShellLine& line, bool told, const Part& part, Remarks& remarks) {
  warn_at(
      line.number, part, remarks,
      fmt::format("asks scontrol for the names of its nodes, which only Slurm knows; remove that: {}YM_NODE_IPS has "
                  "the addresses of all nodes, separated by commas",
                  told ? "MASTER_ADDR is the address of the first node, MASTER_PORT a port that is free there, " : ""));
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
    remarks.warn(part.at, fmt::format("ran on the first of its nodes under Slurm, and runs on each of the {} here; "
                                      "YM_NODE_RANK is the number of the node",
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
