#include "executor/slurm/jobs/lost_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "executor/slurm/jobs/job_states.h"
#include "executor/slurm/jobs/part_comment.h"

namespace ym::slurm {
namespace {

using Parts = std::map<std::string, const JobRow*>;  // by name; the most informative job

bool has_begun(const JobRow& row) {
  const auto phase = phase_of(row.state);
  return !row.nodes.empty() || row.restarts > 0 || phase == Phase::active || phase == Phase::unknown;
}

// Of several jobs with one name: a running one first, then the last one that has ended, then jobs that never began.
bool is_better(const JobRow& a, const JobRow& b) {
  const auto key = [](const JobRow& row) {
    const int rank = phase_of(row.state) == Phase::active ? 2 : has_begun(row) ? 1 : 0;
    return std::pair{rank, row.id};
  };
  return key(a) > key(b);
}

std::vector<std::string> nodes_of(const JobRow& row, const PartShare& share) {
  if (!share.nodes.empty()) return share.nodes;
  const bool is_cut = row.state.starts_with("COMPLETING") && share.tasks > 1;
  return is_cut ? std::vector<std::string>{} : row.nodes;
}

// False: the placement is unknown or invalid.
bool place(const JobRow& row, const PartShare& share, std::vector<TaskPlacement>& tasks) {
  const auto nodes = nodes_of(row, share);
  const auto count = static_cast<std::size_t>(share.tasks);
  if (std::cmp_not_equal(tasks.size(), share.of) || nodes.empty() || count % nodes.size() != 0) return false;
  const auto per_node = count / nodes.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto& task = tasks[static_cast<std::size_t>(share.first_task) + i];
    if (!task.node.empty()) return false;
    task.node = nodes[i / per_node];
  }
  return true;
}

std::vector<TaskPlacement> placement_of(const Parts& parts, std::string_view instance) {
  std::vector<TaskPlacement> tasks;
  for (const auto& [name, row] : parts) {
    const auto share = share_of(name, row->comment, instance);
    if (!share) return {};
    if (tasks.empty())
      for (std::int32_t n = 0; n < share->of; ++n) tasks.push_back({.task = n, .node = {}, .devices = {}});
    if (!place(*row, *share, tasks)) return {};
  }
  const bool whole = std::ranges::none_of(tasks, [](const TaskPlacement& task) { return task.node.empty(); });
  return whole ? tasks : std::vector<TaskPlacement>{};
}

std::string where_of(const Parts& parts) {
  constexpr std::size_t kMostNamed = 5;
  std::string text = parts.size() == 1 ? "Slurm job" : "Slurm jobs";
  std::size_t named = 0;
  for (const auto& [name, row] : parts) {
    if (named++ == kMostNamed) return text + " and others";
    text += fmt::format("{} {}", named == 1 ? "" : ",", row->id);
  }
  return text;
}

}  // namespace

std::vector<LostLaunch> lost_among(const std::vector<JobRow>& rows, const std::string& instance,
                                   const IsLost& is_lost) {
  std::map<Token, Parts> launches;
  for (const auto& row : rows) {
    const auto token = is_ours(row.comment, instance) ? token_of_part(row.name, instance) : std::nullopt;
    if (!token) continue;
    auto& known = launches[*token][row.name];
    if (known == nullptr || is_better(row, *known)) known = &row;
  }
  std::vector<LostLaunch> lost;
  for (const auto& [token, parts] : launches) {
    if (!std::ranges::all_of(parts, [](const auto& part) { return has_begun(*part.second); })) continue;
    if (!is_lost(token)) continue;
    const auto is_over = [](const auto& part) { return phase_of(part.second->state) == Phase::over; };
    lost.push_back({.token = token,
                    .placement = placement_of(parts, instance),
                    .lives = !std::ranges::all_of(parts, is_over),
                    .where = where_of(parts)});
  }
  return lost;
}

}  // namespace ym::slurm
