#include "fault_injection/machines.h"

#include <algorithm>
#include <utility>

namespace ym::sim {

bool MachineRun::lives() const { return std::ranges::find(alive, true) != alive.end(); }

const MachineRun* Machines::find(const Token& token) const {
  const auto it = ledger_.find(token);
  return it == ledger_.end() ? nullptr : &it->second;
}

void Machines::launch(const std::string& cluster, const LaunchRequest& request, Instant now) {
  const auto [it, fresh] = ledger_.try_emplace(request.token);
  MachineRun& run = it->second;
  if (!fresh && canary_ == Canary::barrier_is_missing && run.starts > 0) run.starts += 1;
  run.token = request.token;
  run.cluster = cluster;
  run.grace = request.spec->stop.grace;
  run.milli_of_device = std::min<std::int64_t>(kMilli, request.spec->resources.gpus);
  const bool known = runs_.knows(request.token);
  std::vector<Observation> seen;
  runs_.launch(request, now, seen);
  if (!known) {
    run.launched_at = now;
    run.placement = request.placement;
    run.starts += 1;
    run.alive.assign(request.placement.size(), true);
    if (canary_ == Canary::task_is_missing && run.alive.size() > 1) run.alive.back() = false;
    run.started_tasks = static_cast<std::int32_t>(std::ranges::count(run.alive, true));
  }
  see(std::move(seen));
}

void Machines::stop(const std::string& cluster, const Token& token, StopRequest request, Instant now) {
  if (canary_ == Canary::stop_is_ignored) return;
  MachineRun& run = ledger_[token];
  run.token = token;
  run.cluster = cluster;
  if (!run.first_stop) run.first_stop = {now, request};
  if (canary_ == Canary::grace_is_cut) request.grace = {};
  std::vector<Observation> seen;
  runs_.stop(token, request, now, seen);
  see(std::move(seen));
}

void Machines::lose_task(const Token& token, std::int32_t task, Instant now) {
  MachineRun& run = ledger_.at(token);
  if (!run.lost_task_at) run.lost_task_at = now;
  see({{token, TaskHasEnded{task, {.by = EndedBy::signal, .signal = 9, .message = "it died", .at = now}}}});
}

void Machines::kill_all(Instant now) {
  for (auto& [token, run] : ledger_)
    for (std::size_t task = 0; task < run.alive.size(); ++task)
      if (run.alive[task]) lose_task(token, static_cast<std::int32_t>(task), now);
  for (auto& [token, run] : ledger_)
    if (run.lost_task_at == now) run.lost_task_at.reset();
}

void Machines::pass(Instant now) {
  std::vector<Observation> seen;
  runs_.pass(now, seen);
  see(std::move(seen));
}

// Drops what a dead task would still report.
void Machines::see(std::vector<Observation> seen) {
  for (auto& observation : seen) {
    MachineRun& run = ledger_.at(observation.token);
    const auto* ended = std::get_if<TaskHasEnded>(&observation.what);
    if (ended && run.exits.contains(ended->task)) continue;
    if (std::holds_alternative<ProgressIsReported>(observation.what) && !run.lives()) continue;
    note(observation);
    news_[run.cluster].push_back(std::move(observation));
  }
}

void Machines::note(const Observation& seen) {
  MachineRun& run = ledger_.at(seen.token);
  run.seen.push_back(seen);
  const auto* ended = std::get_if<TaskHasEnded>(&seen.what);
  if (!ended) return;
  run.exits[ended->task] = ended->exit;
  run.alive.at(static_cast<std::size_t>(ended->task)) = false;
}

std::vector<Observation> Machines::take(const std::string& cluster) { return std::exchange(news_[cluster], {}); }

}  // namespace ym::sim
