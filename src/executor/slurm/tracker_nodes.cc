// Tracker: what ended jobs leave on nodes.
#include <fmt/format.h>

#include "executor/slurm/tracker.h"

namespace ym::slurm {

void Tracker::see_nodes(const std::vector<NodeRow>& rows, Instant asked) {
  nodes_.see(rows, asked);
  for (auto& [name, job] : jobs_) review(job, asked);
}

void Tracker::review(Job& job, Instant now) {
  if (job.stage == Stage::over) return;
  if (job.over_since) return review_over(job, now);
  if (job.stage == Stage::listed && job.row && phase_of(job.row->state) == Phase::active && !job.missing_since)
    review_running(job);
}

void Tracker::review_running(Job& job) {
  if (is_configuring(*job.row)) return say_all(job, remote::NotStarted{.message = "Slurm makes its nodes ready"});
  for (std::int32_t task = 0; task < job.part.tasks(); ++task) {
    const auto at = static_cast<std::size_t>(task);
    const auto node = at < job.where.size() ? job.where[at] : std::string{};
    if (auto message = nodes_.out_of_sight(node)) say(job, task, remote::OutOfSight{std::move(*message)});
    else say(job, task, remote::Alive{node});
  }
}

void Tracker::review_over(Job& job, Instant now) {
  const auto& row = *job.row;
  const bool suspect = job.vanished || phase_of(row.state) == Phase::node_failed;
  const auto message = job.vanished ? "Slurm no longer knows the job" : describe(row);
  bool all_gone = true;
  for (std::int32_t task = 0; task < job.part.tasks(); ++task) {
    const auto at = static_cast<std::size_t>(task);
    auto remains = Remains::none;
    if (at < job.where.size())
      remains = nodes_.remains({.node = job.where[at],
                                .suspect = suspect,
                                .active_since = job.active_since,
                                .ended = row.ended,
                                .over_since = *job.over_since,
                                .now = now,
                                .settle = rules_.node_settle});
    if (remains == Remains::none) {
      say(job, task,
          remote::Gone{.exit = job.vanished ? std::nullopt : exit_of(row, job.part.tasks() == 1),
                       .message = message,
                       .of_old_wrapper = !job.says_tasks});
      continue;
    }
    all_gone = false;
    if (remains == Remains::not_known) actions_.wants_nodes = true;
    else
      say(job, task,
          remote::OutOfSight{fmt::format("{}; its processes on node {} may still run", message, job.where[at])});
  }
  if (all_gone) enter(job, Stage::over, now);
}

}  // namespace ym::slurm
