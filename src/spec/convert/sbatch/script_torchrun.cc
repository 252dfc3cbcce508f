// The meeting point of ranks if the script starts torchrun. ym submit warns of a fixed port too; here the remark has
// the line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "model/own_torchrun.h"
#include "spec/convert/sbatch/script_commands.h"

namespace ym::convert {
namespace {

constexpr std::string_view kEndpoint = "Write --rdzv_endpoint $MASTER_ADDR:$MASTER_PORT";
constexpr std::string_view kLauncher = "launcher: torchrun and only the script in run";

std::string text_of(const std::vector<ShellLine>& lines) {
  std::string text;
  for (const auto& line : lines) text += line.code + "\n";
  return text;
}

std::optional<OwnTorchrun> torchrun_in(const std::vector<ShellLine>& lines) {
  return own_torchrun({.form = Program::Form::shell, .words = {text_of(lines)}});
}

int line_of(const std::vector<ShellLine>& lines, const std::vector<std::string_view>& words) {
  const auto* line = line_with(lines, words);
  return line ? line->number : 0;
}

// For c10d, a missing endpoint means a fixed port too.
void warn_of_port(const std::vector<ShellLine>& lines, const OwnTorchrun& own, const Part& part, Remarks& remarks) {
  const int port = line_of(lines, {"--master_port", "--master-port"});
  const int endpoint = line_of(lines, {"--rdzv_endpoint", "--rdzv-endpoint"});
  if (own.names_port)
    warn_at(port > 0 ? port : endpoint, part, remarks,
            fmt::format("names the port at which torchrun meets: two such jobs on a node conflict. {}; "
                        "or write {}",
                        port > 0 ? "Leave it out, and torchrun takes a port of the job" : kEndpoint, kLauncher));
  if (own.takes_fixed_port)
    warn_at(line_of(lines, {"--rdzv_backend", "--rdzv-backend"}), part, remarks,
            fmt::format("lets torchrun meet by c10d without an endpoint, which is a fixed port: two such jobs on a "
                        "node conflict. {}; or {}",
                        kEndpoint, kLauncher));
}

// Each node draws its own number. Under Slurm one shell drew it for all.
void warn_of_id(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks) {
  if (part.nodes < 2) return;
  for (const auto& line : lines)
    if ((line.code.contains("--rdzv_id") || line.code.contains("--rdzv-id")) && line.code.contains("$RANDOM"))
      warn_at(line.number, part, remarks,
              "lets torchrun meet by a random id, which differs on each node; write --rdzv_id $YM_JOB_ID");
}

// Options that torchrun needs on several nodes, and their spellings. One spelling is enough.
struct Needed {
  std::string_view option;
  std::array<std::string_view, 4> words;
};
constexpr std::array<Needed, 3> kNeeded{
    {{"--nnodes", {"--nnodes", "PET_NNODES", "--nnodes", "--nnodes"}},
     {"--node_rank", {"--node_rank", "--node-rank", "--rdzv_endpoint", "--rdzv-endpoint"}},
     {"--master_addr", {"--master_addr", "--master-addr", "--rdzv_endpoint", "--rdzv-endpoint"}}}};

// Without these options each node starts a torchrun for itself alone.
void warn_of_nodes(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks) {
  std::vector<std::string_view> missing;
  for (const auto& [option, words] : kNeeded)
    if (!line_with(lines, {words.begin(), words.end()})) missing.push_back(option);
  if (part.nodes < 2 || missing.empty()) return;
  warn_at(line_of(lines, {"torchrun", "torch.distributed.run", "torch.distributed.launch"}), part, remarks,
          fmt::format("starts torchrun on each of the {} nodes without {}, so the ranks do not meet; write --nnodes "
                      "$YM_NODES --node_rank $YM_NODE_RANK --master_addr $MASTER_ADDR, or {}",
                      part.nodes, fmt::join(missing, ", "), kLauncher));
}

// "MASTER_PORT=1", "export MASTER_PORT=1". Not MASTER_PORT=${MASTER_PORT:-1}, which keeps an earlier value.
bool sets(const ShellLine& line, std::string_view name) {
  const std::string_view code = line.code;
  const auto at = code.find(name);
  if (at == code.npos || (at > 0 && !std::string_view(" \t;&(").contains(code[at - 1]))) return false;
  auto value = code.substr(at + name.size());
  if (!value.starts_with('=')) return false;
  value.remove_prefix(value.starts_with("=\"") ? 2 : 1);
  return !value.starts_with(fmt::format("${{{}", name)) && !value.starts_with(fmt::format("${}", name));
}

// Here both are set already, with the same values on all nodes.
void warn_of_variables_set(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks) {
  for (const auto& line : lines) {
    if (sets(line, "MASTER_PORT"))
      warn_at(line.number, part, remarks,
              "sets MASTER_PORT, which is here a port of the attempt, free on the first node; remove that");
    if (part.nodes > 1 && sets(line, "MASTER_ADDR"))
      warn_at(line.number, part, remarks, "sets MASTER_ADDR, which is here the address of the first node; remove that");
  }
}

}  // namespace

bool is_told_where_to_meet(const std::vector<ShellLine>& lines, const Part& part) {
  return part.amounts.gpus > 0 || torchrun_in(lines);
}

void warn_of_own_torchrun(const std::vector<ShellLine>& lines, const Part& part, Remarks& remarks) {
  if (is_told_where_to_meet(lines, part)) warn_of_variables_set(lines, part, remarks);
  const auto own = torchrun_in(lines);
  if (!own) return;
  warn_of_port(lines, *own, part, remarks);
  warn_of_id(lines, part, remarks);
  warn_of_nodes(lines, part, remarks);
}

}  // namespace ym::convert
