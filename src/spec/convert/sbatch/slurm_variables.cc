#include "spec/convert/sbatch/slurm_variables.h"

#include <algorithm>
#include <array>

namespace ym::convert {
namespace {

struct Instead {
  std::string_view slurm, ours;
};
constexpr std::array<Instead, 25> kInstead{{{"SLURM_ARRAY_TASK_ID", "YM_ARRAY_INDEX"},
                                            {"SLURM_ARRAY_JOB_ID", "YM_JOB_ID (each member has its own)"},
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
                                            {"SLURM_NPROCS", "YM_NODES"},
                                            {"SLURM_GPUS_ON_NODE", "YM_GPUS_PER_NODE"},
                                            {"SLURM_GPUS_PER_NODE", "YM_GPUS_PER_NODE"},
                                            {"SLURM_JOB_GPUS", "CUDA_VISIBLE_DEVICES"},
                                            {"SLURM_STEP_GPUS", "CUDA_VISIBLE_DEVICES"},
                                            {"SLURM_LOCALID", "LOCAL_RANK, which launcher: torchrun sets,"},
                                            {"SLURM_RESTART_COUNT", "YM_ATTEMPT, which counts from 1,"},
                                            {"SLURM_SUBMIT_DIR", "PWD, which is the folder of the submit,"},
                                            {"SLURM_JOB_USER", "USER"},
                                            {"SLURM_TMPDIR", "${TMPDIR:-/tmp}"},
                                            {"SLURMD_NODENAME", "$(hostname)"},
                                            {"SLURM_SUBMIT_HOST", "$(hostname)"},
                                            {"SLURM_", "YM_ variables"}}};

bool is_of_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_of_slurm(std::string_view name) { return name.starts_with("SLURM_") || name.starts_with("SLURMD_"); }

// A name followed by a single = is assigned.
bool is_set_at(std::string_view line, std::size_t end) {
  return end < line.size() && line[end] == '=' && (end + 1 == line.size() || line[end + 1] != '=');
}

void add_names(std::string_view line, std::vector<std::string>& found) {
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && is_of_name(line[end])) ++end;
    const std::string name(line.substr(at, end - at));
    const bool read = is_of_slurm(name) && !is_set_at(line, end);
    if (read && std::ranges::find(found, name) == found.end()) found.push_back(name);
    at = end + 1;
  }
}

}  // namespace

std::vector<std::string> slurm_variables_in(std::string_view body) {
  std::vector<std::string> found;
  while (!body.empty()) {
    const auto end = std::min(body.find('\n'), body.size());
    auto line = body.substr(0, end);
    body.remove_prefix(std::min(end + 1, body.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with('#') && !line.starts_with("unset ")) add_names(line, found);
  }
  return found;
}

std::string_view instead_of_slurm_variable(std::string_view name) {
  const auto* found = std::ranges::find(kInstead, name, &Instead::slurm);
  return found == kInstead.end() ? std::string_view() : found->ours;
}

}  // namespace ym::convert
