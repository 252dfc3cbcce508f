#include "fault_injection/watch_machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ym::sim {
namespace {

constexpr Duration kGangMayLast = minutes(1);
constexpr Duration kCancelledMayLast = seconds(30);

}  // namespace

void MachineWatch::look(const Tables* tables, Instant now) {
  std::map<JobId, Token> living;
  for (const auto& [token, run] : machines_.runs()) {
    look_at(run, tables, now);
    if (!run.lives()) continue;
    const auto [other, only] = living.emplace(token.job, token);
    if (!only)
      findings_.add(Promise::old_is_gone_first,
                    fmt::format("{} and {} run at the same time", to_string(other->second), to_string(token)));
  }
  look_at_devices();
}

void MachineWatch::look_at(const MachineRun& run, const Tables* tables, Instant now) {
  if (run.starts > 1)
    findings_.add(Promise::starts_once,
                  fmt::format("user code of {} was started {} times", to_string(run.token), run.starts));
  if (run.starts > 0) look_at_gang(run, now);
  look_at_stop(run, tables, now);
}

void MachineWatch::look_at_gang(const MachineRun& run, Instant now) {
  std::set<std::string> nodes;
  for (const auto& task : run.placement) nodes.insert(task.node);
  if (static_cast<std::size_t>(run.started_tasks) != run.placement.size() || nodes.size() != run.placement.size())
    findings_.add(Promise::gang_is_whole,
                  fmt::format("{} of {} tasks of {} were started, on {} nodes", run.started_tasks, run.placement.size(),
                              to_string(run.token), nodes.size()));
  if (!run.lost_task_at || !run.lives()) return;
  const Instant until = std::max(*run.lost_task_at, findings_.calm_since()) + run.grace + kGangMayLast;
  if (now > until)
    findings_.add(Promise::gang_is_whole, fmt::format("{} lost a task and continues", to_string(run.token)));
}

void MachineWatch::look_at_stop(const MachineRun& run, const Tables* tables, Instant now) {
  const bool killed =
      std::ranges::any_of(run.exits, [](const auto& exit) { return exit.second.by == EndedBy::signal; });
  if (killed && !run.first_stop && !run.lost_task_at)
    findings_.add(Promise::restart_is_harmless, fmt::format("{} was killed without a request", to_string(run.token)));
  for (const auto& [task, exit] : run.exits)
    if (exit.forced && run.first_stop && exit.at < run.first_stop->at + run.first_stop->request.grace)
      findings_.add(Promise::preempted_in_good_order,
                    fmt::format("{} was killed before its grace was over", to_string(run.token)));
  if (!run.lives() || !tables) return;
  const auto cancelled = clients_.cancelled().find(run.token.job);
  if (cancelled != clients_.cancelled().end() &&
      now > std::max(cancelled->second, findings_.calm_since()) + run.grace + kCancelledMayLast)
    findings_.add(Promise::cancelled_is_gone, fmt::format("{} runs after its cancel", to_string(run.token)));
  const auto attempt = tables->attempts.find(run.token.key());
  if (!run.first_stop || attempt == tables->attempts.end()) return;
  const auto job = tables->jobs.find(run.token.job);
  if (!attempt->second.stop_cause && job != tables->jobs.end() && !job->second.cancel_requested)
    findings_.add(Promise::restart_is_harmless,
                  fmt::format("{} was stopped without a recorded cause", to_string(run.token)));
}

void MachineWatch::look_at_devices() {
  std::map<std::pair<std::string, std::string>, std::int64_t> taken;
  for (const auto& [token, run] : machines_.runs()) {
    for (std::size_t task = 0; task < run.placement.size(); ++task) {
      if (!run.alive[task]) continue;
      const auto& place = run.placement[task];
      const auto same = same_machine_.find(place.node);
      for (const auto& device : place.devices) {
        auto& milli = taken[{same == same_machine_.end() ? place.node : same->second, device}];
        milli += run.milli_of_device;
        if (milli > kMilli)
          findings_.add(Promise::capacity_holds, fmt::format("{} has more than the rest of device {} of {}",
                                                             to_string(token), device, place.node));
      }
    }
  }
}

void MachineWatch::compare_ends(const std::vector<Attempt>& attempts) {
  for (const Attempt& attempt : attempts) {
    const MachineRun* run = machines_.find(attempt.token());
    if (!run || run->exits.empty()) continue;
    const auto was = [&](std::int32_t code) {
      return std::ranges::any_of(run->exits, [&](const auto& exit) { return exit.second.exit_code == code; });
    };
    const bool lost = attempt.ended_by == EndedBy::lost;
    if (lost || (attempt.exit_code && !was(*attempt.exit_code)))
      findings_.add(Promise::restart_is_harmless,
                    fmt::format("{} is wrongly recorded as {}, code {}", to_string(attempt.token()),
                                lost ? "lost" : "ended", attempt.exit_code.value_or(-1)));
  }
}

}  // namespace ym::sim
