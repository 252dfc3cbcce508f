#include "control/attempts/culprit.h"

#include <algorithm>
#include <csignal>
#include <vector>

#include "control/attempts/task_ends.h"

namespace ym {
namespace {

using Tasks = std::vector<const TaskStatus*>;

// Peers that lose each other end within this time.
constexpr Duration kApart = seconds(1);

// The smallest is the strongest suspect. A lost task takes its peers with it, but its loss is noticed later. A task
// that could not start keeps the whole gang from going on. A task at its time limit is still in its grace when its
// peers lose it.
int weight(const TaskExit& exit) {
  switch (exit.by) {
    case EndedBy::lost: return 0;
    case EndedBy::start_failed: return exit.permanent ? 1 : 2;
    case EndedBy::time_limit: return 3;
    default: return 4;
  }
}

bool was_killed(const TaskExit& exit, const JobSpec& spec) {
  if (exit.by == EndedBy::oom) return true;
  if (exit.forced) return false;
  const auto signal = exit.worker && exit.worker->signal ? exit.worker->signal : exit.signal;
  return signal && *signal != SIGABRT && !is_stop_signal(*signal, spec);
}

// Removes tasks that ended because the gang was stopped. The first end came before any request to stop. A launcher's
// agent that was asked to stop names no worker. If it names one, the worker had failed before.
void leave_out_stopped(const Attempt& attempt, const JobSpec& spec, Tasks& failures) {
  if (attempt.stop_cause != StopCause::gang_failure || failures.empty()) return;
  const auto first = (*std::ranges::min_element(failures, {}, &TaskStatus::ended_seq))->ended_seq;
  std::erase_if(failures, [&](const TaskStatus* task) {
    return task->ended_seq != first && !task->exit->worker && task->exit->by != EndedBy::start_failed &&
           ended_as_asked(attempt, *task, spec);
  });
}

void keep_strongest(const JobSpec& spec, Tasks& failures) {
  const auto rank = [&](const TaskStatus* task) {
    return std::pair(weight(*task->exit), was_killed(*task->exit, spec) ? 0 : 1);
  };
  const auto best = rank(*std::ranges::min_element(failures, {}, rank));
  std::erase_if(failures, [&](const TaskStatus* task) { return rank(task) != best; });
}

bool says_when(const TaskStatus* task) { return task->exit->worker && task->exit->worker->at.ms > 0; }

}  // namespace

std::optional<Suspect> first_failure(const Attempt& attempt, const JobSpec& spec,
                                     const std::function<bool(const TaskStatus&)>& excused) {
  Tasks failures;
  for (const auto& task : attempt.tasks)
    if (failed(*task.exit) && !excused(task)) failures.push_back(&task);
  if (failures.empty()) return std::nullopt;
  leave_out_stopped(attempt, spec, failures);
  keep_strongest(spec, failures);
  const bool by_time = std::ranges::all_of(failures, says_when);
  const auto time = [&](const TaskStatus* task) { return by_time ? task->exit->worker->at : task->exit->at; };
  std::ranges::sort(failures, {}, [&](const TaskStatus* task) {
    return std::pair(by_time ? time(task) : Instant{}, task->ended_seq);
  });
  if (failures.size() == 1) return Suspect{failures.front(), Certainty::certain};
  const bool apart = time(failures[1]) - time(failures[0]) >= kApart;
  return Suspect{failures.front(), apart ? Certainty::likely : Certainty::guessed};
}

std::optional<Culprit> culprit_of(const Attempt& attempt, const Suspect& suspect) {
  const auto& exit = *suspect.task->exit;
  const auto& worker = exit.worker;
  if (attempt.tasks.size() == 1 && !worker) return std::nullopt;
  if (suspect.sure == Certainty::guessed && (exit.by == EndedBy::lost || exit.by == EndedBy::start_failed))
    return std::nullopt;
  return Culprit{.task = static_cast<std::int32_t>(suspect.task - attempt.tasks.data()),
                 .rank = worker ? worker->rank : std::nullopt,
                 .sure = suspect.sure};
}

}  // namespace ym
