#include "executor/simulated/simulated_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ym {
namespace {

// Steps are milliseconds of work; a simulated attempt resumes from a step.
std::int64_t steps_of(Duration work) { return work.ms; }

Observation report(const Token& token, Duration done, Duration all, Instant now) {
  const Checkpoint saved{.uri = fmt::format("simulated:{}/{}", to_string(token.job), steps_of(done)),
                         .step = steps_of(done),
                         .durable_at = now};
  return {token, ProgressIsReported{{.step = steps_of(done), .total_steps = steps_of(all), .checkpoint = saved}}};
}

Observation refusal(const Token& token) { return {token, LaunchRefused{.message = "it was stopped before it began"}}; }

// A stop for a failure of another task has no EndedBy of its own: it is a signal.
EndedBy ended_by(StopCause cause) {
  if (cause == StopCause::cancel) return EndedBy::cancelled;
  return cause == StopCause::preemption ? EndedBy::preempted : EndedBy::signal;
}

}  // namespace

Duration SimulatedRuns::Run::done_at(Instant now) const {
  const auto worked = std::max<std::int64_t>(0, (now - began).ms - behaviour.start_time.ms);
  return std::min(behaviour.run_time, done_before + Duration{worked * share / whole});
}

// How long it takes from now on, if it is not stopped.
Duration SimulatedRuns::Run::takes() const {
  const auto left = std::max<std::int64_t>(0, behaviour.run_time.ms - done_before.ms);
  return behaviour.start_time + Duration{(left * whole + share - 1) / share};
}

void SimulatedRuns::launch(const LaunchRequest& request, Instant now, Seen& seen) {
  const Token token = request.token;
  const auto [it, fresh] = runs_.try_emplace(token);
  Run& run = it->second;
  if (!fresh && run.tasks == 0) seen.push_back(refusal(token));
  if (!fresh) return;
  run.tasks = request.placement.size();
  run.behaviour = behaviour_of(*request.spec);
  run.began = now;
  run.share = static_cast<std::int64_t>(run.tasks);
  run.whole = std::max<std::int64_t>(run.share, request.spec->nodes);
  if (!request.checkpoints.empty()) run.done_before = Duration{request.checkpoints.front().step};
  const auto limit = request.spec->time_limit;
  const bool too_long = limit && run.takes() > *limit;
  TaskExit exit{.by = EndedBy::exit, .exit_code = run.behaviour.exit_code};
  if (too_long) exit = {.by = EndedBy::time_limit, .signal = 15};
  end_at(token, run, now + (too_long ? *limit : run.takes()), exit);
  save_later(token, run, now);
  seen.push_back({token, LaunchAccepted{}});
  seen.push_back({token, LaunchPreparing{}});
  for (std::size_t task = 0; task < run.tasks; ++task)
    seen.push_back({token, TaskIsRunning{static_cast<std::int32_t>(task)}});
}

void SimulatedRuns::stop(const Token& token, const StopRequest& request, Instant now, Seen& seen) {
  const auto [it, fresh] = runs_.try_emplace(token);
  Run& run = it->second;
  if (fresh) seen.push_back(refusal(token));
  if (fresh || run.over || run.tasks == 0) return;
  const bool killed = run.behaviour.stop_time > request.grace;
  const auto at = now + (killed ? request.grace : run.behaviour.stop_time);
  if (at >= run.ends_at) return;
  // It writes a last checkpoint while it stops, if the grace is long enough.
  if (run.behaviour.saves_at_stop && !killed && !run.stops_at) run.stops_at = now;
  if (killed) run.stops_at.reset();
  end_at(token, run, at, {.by = ended_by(request.cause), .signal = killed ? 9 : 15, .forced = killed});
}

void SimulatedRuns::release(const Token& token) { runs_.erase(token); }

void SimulatedRuns::end_at(const Token& token, Run& run, Instant at, const TaskExit& exit) {
  run.ends_at = at;
  due_.emplace(at, Due{.token = token, .ending = ++run.ending, .exit = exit});
}

// Schedules its next checkpoint.
void SimulatedRuns::save_later(const Token& token, const Run& run, Instant now) {
  const auto every = run.behaviour.checkpoint_every;
  if (every.ms <= 0) return;
  const auto done = run.done_at(now);
  const Duration next{(done.ms / every.ms + 1) * every.ms};
  const Duration sets_up = now == run.began ? run.behaviour.start_time : Duration{};
  const auto at = now + sets_up + Duration{((next.ms - done.ms) * run.whole + run.share - 1) / run.share};
  if (at < run.ends_at) due_.emplace(at, Due{.token = token, .saves = next});
}

std::optional<Instant> SimulatedRuns::next() const {
  return due_.empty() ? std::nullopt : std::optional(due_.begin()->first);
}

void SimulatedRuns::pass(Instant now, Seen& seen) {
  while (!due_.empty() && due_.begin()->first <= now) {
    const auto node = due_.extract(due_.begin());
    const auto run = runs_.find(node.mapped().token);
    if (run == runs_.end() || run->second.over) continue;
    if (node.mapped().saves) saved(node.mapped(), run->second, node.key(), seen);
    else if (run->second.ending == node.mapped().ending) ended(node.mapped(), run->second, node.key(), seen);
  }
}

void SimulatedRuns::saved(const Due& due, Run& run, Instant at, Seen& seen) {
  if (run.stops_at || at >= run.ends_at) return;
  seen.push_back(report(due.token, *due.saves, run.behaviour.run_time, at));
  save_later(due.token, run, at);
}

void SimulatedRuns::ended(const Due& due, Run& run, Instant at, Seen& seen) {
  run.over = true;
  if (run.stops_at) seen.push_back(report(due.token, run.done_at(*run.stops_at), run.behaviour.run_time, at));
  TaskExit exit = due.exit;
  exit.at = at;
  for (std::size_t task = 0; task < run.tasks; ++task)
    seen.push_back({due.token, TaskHasEnded{static_cast<std::int32_t>(task), exit}});
}

}  // namespace ym
