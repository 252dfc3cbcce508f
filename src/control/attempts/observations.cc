#include "control/attempts/observations.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "control/attempts/launch.h"
#include "control/attempts/losses.h"
#include "control/attempts/outcome.h"
#include "control/attempts/stops.h"
#include "control/attempts/task_ends.h"
#include "control/site/inventory.h"
#include "control/state/reasons.h"

namespace ym {
namespace {

constexpr std::string_view kTraceless = "the executor has no trace of it, though it was launched";
constexpr std::string_view kMayLive =
    "the executor has no trace of its launch, but a process of it lives or could not be looked for";
constexpr std::string_view kNothingLives = "the executor has lost its traces, and no process of it lives";
constexpr std::string_view kMayHaveRun =
    "its machine was restarted, and its result is lost: it may have run, and is not started again";
constexpr std::string_view kWayOut =
    "what it holds stays held, and it is not started again, until the executor finds it; `ym cancel` gives it up";

class StageObservation {
 public:
  StageObservation(Staging& staging, const ObservationContext& context, const Attempt& attempt)
      : staging_(staging), context_(context), key_(attempt.key()), actor_("executor:" + attempt.cluster) {}

  void operator()(const LaunchAccepted&) {
    if (attempt().state == AttemptState::intended) add(AttemptSubmitted{key_});
  }

  void operator()(const LaunchPreparing&) {
    const auto state = attempt().state;
    if (state == AttemptState::intended || state == AttemptState::submitted) add(AttemptStarting{key_});
  }

  void operator()(const StartIsDelayed& delayed) {
    const auto state = attempt().state;
    const bool begins = state != AttemptState::stopping && state != AttemptState::unknown;
    if (begins && !any_started() && !barrier_is_open() && job().message != delayed.message)
      add(StartDelayed{key_, delayed.message});
  }

  // The launch barrier stays open for the tasks to which it was opened first, and for no others.
  void operator()(const GangIsWaiting& gang) {
    if (unwanted() || attempt().state == AttemptState::stopping || gang.claims.size() != attempt().tasks.size()) return;
    if (!barrier_is_open()) add(BarrierOpened{key_, gang.claims});
    staging_.then(OpenBarrierEffect{attempt().cluster, attempt().token(), granted()});
  }

  void operator()(const LaunchRefused& refused) {
    // A refusal after a start cannot mean that nothing ran.
    if (any_started()) return without_trace(refused.message);
    end_all(
        {.by = EndedBy::start_failed, .message = refused.message, .permanent = refused.permanent, .at = staging_.now()},
        refused.of_executor);
  }

  void operator()(const TaskIsRunning& running) {
    if (!valid(running.task) || task(running.task).state != TaskState::waiting) return;
    add(TaskStarted{key_, running.task});
    started_if_whole(running.since);
  }

  void operator()(const TaskHasEnded& ended) {
    if (!valid(ended.task) || task(ended.task).state == TaskState::ended) return;
    // The report of its start may have been missed while no server ran.
    if (ended.exit.by != EndedBy::start_failed && task(ended.task).state == TaskState::waiting) {
      add(TaskStarted{key_, ended.task});
      started_if_whole();
    }
    add(TaskEnded{key_, ended.task, ended.exit});
    if (all_ended()) conclude();
    else if (failed(ended.exit)) stop_gang(ended.task, ended.exit);
  }

  void operator()(const ProgressIsReported& progress) { context_.progress.take(staging_, key_, progress.report); }

  // A repeat is known already and changes nothing.
  void operator()(const CheckpointIsGone& gone) {
    const auto& known = job().checkpoints;
    if (std::ranges::find(known, gone.checkpoint) == known.end()) return;
    const auto left = std::ranges::find_if(known, [&](const Checkpoint& c) { return c != gone.checkpoint; });
    auto further = further_losses(staging_.tables(), key_, gone.checkpoint);
    add(CheckpointSkipped{key_.job, gone.checkpoint, std::move(further)},
        why_skipped(gone.checkpoint, left == known.end() ? nullptr : &*left));
  }

  void operator()(const ContactIsLost& lost) {
    if (attempt().state != AttemptState::unknown) add(ContactLost{key_}, lost.message);
  }

  void operator()(const ContactIsBack&) {
    if (attempt().state != AttemptState::unknown) return;
    add(ContactRegained{key_});
    if (attempt().state == AttemptState::stopping) return;
    if (job().cancel_requested) return stop({key_, StopCause::cancel});
    for (std::int32_t n = 0; valid(n); ++n)
      if (task(n).exit && failed(*task(n).exit)) return stop_gang(n, *task(n).exit);
  }

  void operator()(const DevicesAreUnhealthy&) {}  // not about an attempt
  void operator()(const NodesAreSeen&) {}
  void operator()(const ClusterIsSeen&) {}

  // The executor has no trace of the attempt. That proves that nothing of it runs only if it was never launched.
  // Otherwise its traces are lost (a folder moved away, an older backup, a loss of power), and its processes may live.
  // The state `intended` is the server's own record and may be older than the launch. So it proves nothing if the
  // executor sees a process or cannot look.
  void operator()(const TokenIsUnknown& unknown) {
    const bool intended = attempt().state == AttemptState::intended;
    if (unknown.may_have_run && unknown.nothing_lives) return end_all(lost_exit(kMayHaveRun));
    if (unknown.nothing_lives && !intended) return end_all(lost_exit(kNothingLives));
    if (unknown.may_have_run) return without_trace(kTraceless);
    const bool may_live = attempt().state != AttemptState::intended && !job().cancel_requested;
    if (unwanted() && !any_started() && !may_live) {
      return end_all({.by = EndedBy::start_failed, .message = "stopped before it was launched", .at = staging_.now()});
    }
    if (attempt().state != AttemptState::intended) return without_trace(kTraceless);
    if (!unknown.nothing_lives) return without_trace(kMayLive);
    staging_.then(launch_effect(staging_.tables(), attempt(), context_.contacts, staging_.now()));
  }

 private:
  const Attempt& attempt() const { return staging_.tables().attempts.at(key_); }
  const Job& job() const { return staging_.tables().jobs.at(key_.job); }
  const TaskStatus& task(std::int32_t n) const { return attempt().tasks[static_cast<std::size_t>(n)]; }
  bool valid(std::int32_t n) const { return n >= 0 && static_cast<std::size_t>(n) < attempt().tasks.size(); }
  void add(EventPayload payload, std::string reason = {}) {
    staging_.add(actor_, std::move(payload), std::move(reason));
  }

  bool unwanted() const { return job().cancel_requested || attempt().stop_cause; }

  bool barrier_is_open() const { return attempt().tasks.front().claim.has_value(); }
  std::vector<TaskClaim> granted() const {
    std::vector<TaskClaim> claims;
    for (const auto& task : attempt().tasks) claims.push_back(*task.claim);
    return claims;
  }

  bool any_started() const {
    return attempt().started_at ||
           std::ranges::any_of(attempt().tasks, [](const TaskStatus& t) { return t.state == TaskState::running; });
  }

  TaskExit lost_exit(std::string_view message) const {
    return {.by = EndedBy::lost, .message = std::string(message), .at = staging_.now()};
  }

  // Only a user can know that the attempt is gone, so only a cancel ends it.
  void without_trace(std::string_view message) {
    if (job().cancel_requested) return end_all(lost_exit("given up: " + std::string(message)));
    if (attempt().state != AttemptState::unknown) add(ContactLost{key_}, fmt::format("{}; {}", message, kWayOut));
  }

  bool all_ended() const {
    return std::ranges::all_of(attempt().tasks, [](const TaskStatus& t) { return t.state == TaskState::ended; });
  }

  // The tasks of a gang begin together, so the time of the one that was reported last stands for all. The machine's
  // clock may differ from the server's.
  std::optional<Instant> past_start(std::optional<Instant> since) const {
    const Instant earliest = attempt().adopted ? job().submitted_at : attempt().admitted_at;
    if (!since || *since >= staging_.now()) return std::nullopt;
    return std::max(*since, earliest);
  }

  void started_if_whole(std::optional<Instant> since = std::nullopt) {
    const auto& tasks = attempt().tasks;
    const bool whole = std::ranges::all_of(tasks, [](const TaskStatus& t) {
      return t.exit ? t.exit->by != EndedBy::start_failed : t.state == TaskState::running;
    });
    const auto state = attempt().state;
    const bool before = state == AttemptState::intended || state == AttemptState::submitted ||
                        state == AttemptState::starting || state == AttemptState::unknown;
    if (whole && before && !attempt().started_at) add(AttemptStarted{key_, past_start(since)});
  }

  void end_all(const TaskExit& exit, bool of_executor = false) {
    for (std::int32_t n = 0; valid(n); ++n)
      if (task(n).state != TaskState::ended) add(TaskEnded{key_, n, exit});
    conclude(of_executor);
  }

  // A gang is whole or nothing: the failure of one task ends the others. Tasks that are out of contact get the stop
  // again when contact is back.
  void stop_gang(std::int32_t failed_task, const TaskExit& exit) {
    if (attempt().state == AttemptState::stopping) return;
    stop({key_, StopCause::gang_failure}, fmt::format("task {} of the gang ended: {}", failed_task, describe(exit)));
  }

  void stop(const AttemptStopping& stopping, std::string reason = {}) {
    stage_stop(staging_, actor_, stopping, std::move(reason));
  }

  void conclude(bool of_executor = false) {
    context_.progress.stage(staging_, key_);
    AttemptOutcome outcome = outcome_of(attempt(), *job().spec);
    // No task passes the launch barrier of an adopted attempt: waiting tasks are sent away. That is not the job's
    // failure.
    outcome.of_executor = outcome.by == EndedBy::start_failed && (of_executor || attempt().adopted);
    if (job().cancel_requested) outcome.by = EndedBy::cancelled;
    const auto next = after_attempt(job(), outcome);
    const auto lost = lost_by_ending(staging_.tables(), key_, std::holds_alternative<Retry>(next),
                                     context_.restart_cost, staging_.now());
    add(AttemptEnded{key_, outcome.by, outcome.exit_code, outcome.signal, outcome.message, lost, outcome.culprit});
    staging_.then(ReleaseEffect{attempt().cluster, attempt().token()});
    if (const auto* finish = std::get_if<Finish>(&next)) {
      staging_.add("scheduler", JobFinished{key_.job, finish->state, finish->message});
      return;
    }
    const auto& retry = std::get<Retry>(next);
    std::optional<Instant> not_before;
    if (retry.backoff > Duration{}) not_before = staging_.now() + retry.backoff;
    staging_.add("scheduler", JobRequeued{key_.job, retry.cause, not_before}, retry.reason);
  }

  Staging& staging_;
  const ObservationContext& context_;
  const AttemptKey key_;
  const std::string actor_;
};

// Whether the observation is about a cluster or its nodes; if so, stages it.
bool stage_inventory(Staging& staging, const Observation& observation) {
  if (const auto* unhealthy = std::get_if<DevicesAreUnhealthy>(&observation.what)) stage_seen(staging, *unhealthy);
  else if (const auto* nodes = std::get_if<NodesAreSeen>(&observation.what)) stage_seen(staging, *nodes);
  else if (const auto* cluster = std::get_if<ClusterIsSeen>(&observation.what)) stage_seen(staging, *cluster);
  else return false;
  return true;
}

}  // namespace

void stage_observation(Staging& staging, const ObservationContext& context, const Observation& observation) {
  if (stage_inventory(staging, observation)) return;
  const auto& attempts = staging.tables().attempts;
  const auto it = attempts.find(observation.token.key());
  if (it == attempts.end() || it->second.epoch != observation.token.epoch) return;
  if (it->second.state == AttemptState::ended) return;
  // StageObservation keeps a key, not the row, because staging changes the row.
  StageObservation stage{staging, context, it->second};
  // A report about one task does not show contact with the others. These observations are about the whole attempt.
  const bool sees_all = std::holds_alternative<LaunchAccepted>(observation.what) ||
                        std::holds_alternative<LaunchPreparing>(observation.what) ||
                        std::holds_alternative<GangIsWaiting>(observation.what);
  if (sees_all) stage(ContactIsBack{});
  std::visit(stage, observation.what);
}

}  // namespace ym
