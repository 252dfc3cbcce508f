#include "model/tables.h"

#include <algorithm>

#include "base/assert.h"
#include "model/flavor_mix.h"
#include "model/lifecycle.h"
#include "model/retry_counts.h"
#include "model/row_fold.h"

namespace ym {
namespace {

class Fold : private RowFold {
 public:
  Fold(Tables& tables, const Event& event, Touched* touched) : RowFold(tables, event.time, touched), event_(event) {}
  using RowFold::operator();

  void operator()(const ServerStarted& e) {
    YM_ASSERT(e.epoch > tables_.epoch);
    tables_.epoch = e.epoch;
    tables_.last_id += e.ids_passed_over;
  }
  void operator()(const JobSubmitted& e) {
    YM_ASSERT(e.job.spec && (e.job.state == JobState::queued || e.job.state == JobState::held));
    Job job = e.job;
    job.waits_since = job.arrived_at = e.job.submitted_at;
    YM_ASSERT(tables_.jobs.emplace(e.job.id, std::move(job)).second);
    tables_.last_id =
        std::max({tables_.last_id, e.job.id.value, e.job.spec_id.value, e.job.group ? e.job.group->value : 0});
    touch(&Touched::jobs, e.job.id);
  }
  void operator()(const JobHeld& e) {
    Job& held = job(e.job);
    move(held, JobState::held);
    held.pending = ReasonCode::held;
    held.nomination.reset();
  }
  void operator()(const JobReleased& e) {
    Job& released = job(e.job);
    move(released, JobState::queued);
    released.waits_since = released.arrived_at = event_.time;
    released.pending = ReasonCode::pending_evaluation;
  }
  void operator()(const JobDeferred& e) {
    Job& deferred = job(e.job);
    YM_ASSERT(deferred.state == JobState::queued);
    deferred.pending = e.code;
  }
  void operator()(const CancelRequested& e) { job(e.job).cancel_requested = true; }
  void operator()(const JobRequeued& e) {
    Job& requeued = job(e.job);
    YM_ASSERT(!tables_.live_attempt(e.job) && !requeued.cancel_requested);
    move(requeued, JobState::queued);
    requeued.not_before = e.not_before;
    // A preemption does not restart the waiting time.
    const Instant begins = e.not_before ? std::max(event_.time, *e.not_before) : event_.time;
    if (e.not_before || e.cause != RetryCause::preempted) requeued.waits_since = begins;
    if (e.cause != RetryCause::preempted) {
      requeued.arrived_at = begins;
      requeued.nomination.reset();
    }
    requeued.pending = e.not_before ? ReasonCode::backoff : ReasonCode::pending_evaluation;
    requeued.message = event_.reason;
    count_of(requeued.retries, e.cause) += 1;
  }
  void operator()(const JobFinished& e) {
    Job& finished = job(e.job);
    YM_ASSERT(is_terminal(e.state) && !tables_.live_attempt(e.job));
    move(finished, e.state);
    finished.nomination.reset();
    finished.message = e.message;
    finished.ended_at = event_.time;
  }
  void operator()(const PlacementNominated& e) {
    Job& holder = job(e.job);
    YM_ASSERT((holder.state == JobState::queued || holder.state == JobState::stopping) && !holder.cancel_requested);
    holder.nomination = e.nomination;
  }
  void operator()(const NominationEnded& e) {
    Job& holder = job(e.job);
    YM_ASSERT(holder.nomination.has_value());
    holder.nomination.reset();
  }
  void operator()(const RunTimePredicted& e) { job(e.job).predicted = e.run_time; }
  void operator()(const CheckpointSkipped& e) {
    auto& left = job(e.job).checkpoints;
    std::erase(left, e.checkpoint);
    for (const FurtherLoss& more : e.further_losses) {
      auto& lost = attempt({e.job, more.attempt}).lost_gpu_ms;
      lost = lost.value_or(0) + more.gpu_ms;
    }
    const Attempt* live = tables_.live_attempt(e.job);
    if (!live || live->resumes_from != e.checkpoint) return;
    attempt(live->key()).resumes_from = left.empty() ? std::nullopt : std::optional(left.front());
  }

  void operator()(const AttemptAdmitted& e) {
    const Attempt& admitted = e.attempt;
    Job& owner = job(admitted.job);
    YM_ASSERT(admitted.state == AttemptState::intended && admitted.follows(owner.attempts));
    YM_ASSERT(!owner.cancel_requested && !admitted.placement.empty() &&
              admitted.placement.size() == admitted.tasks.size());
    YM_ASSERT(admitted.prices_micros.empty() || admitted.prices_micros.size() == split_flavors(admitted.flavor).size());
    move(owner, JobState::starting);
    owner.attempts = admitted.number;
    owner.not_before.reset();
    owner.message.clear();
    owner.nomination.reset();
    tables_.attempts.emplace(admitted.key(), admitted);
    touch(&Touched::attempts, admitted.key());
    for (const UsageEntry& entry : usage_of(admitted, owner))
      touch<Usage>(enter(tables_.usage, entry, event_.time).name);
  }
  void operator()(const AttemptSubmitted& e) { move(attempt(e.attempt), AttemptState::submitted); }
  void operator()(const AttemptStarting& e) { move(attempt(e.attempt), AttemptState::starting); }
  void operator()(const StartDelayed& e) { job(e.attempt.job).message = e.message; }
  void operator()(const BarrierOpened& e) {
    Attempt& opened = attempt(e.attempt);
    YM_ASSERT(e.claims.size() == opened.tasks.size());
    for (std::size_t task = 0; task < e.claims.size(); ++task) opened.tasks[task].claim = e.claims[task];
    if (opened.state != AttemptState::unknown) job(e.attempt.job).message.clear();
    if (opened.state == AttemptState::intended || opened.state == AttemptState::submitted)
      move(opened, AttemptState::starting);
  }
  void operator()(const TaskStarted& e) {
    TaskStatus& task = task_of(e.attempt, e.task);
    YM_ASSERT(task.state == TaskState::waiting);
    task.state = TaskState::running;
  }
  void operator()(const AttemptStarted& e) {
    Attempt& started = attempt(e.attempt);
    started.started_at = e.began(event_.time);
    Job& owner = job(e.attempt.job);
    if (!owner.started_at) owner.started_at = started.started_at;
    owner.retries.launch = 0;
    // The last task has started, but the state of the others is unknown. So it is UNKNOWN until contact is back.
    if (started.state == AttemptState::unknown) return;
    move(started, AttemptState::running);
    move(owner, JobState::running);
    owner.message.clear();
  }
  void operator()(const AttemptStopping& e) {
    YM_ASSERT((e.cause == StopCause::preemption) == e.preemption.has_value());
    Attempt& stopping = attempt(e.attempt);
    Job& owner = job(e.attempt.job);
    if (!stopping.stop_cause) {
      stopping.stop_cause = e.cause;
      stopping.preemption = e.preemption;
      stopping.yields_to = e.yields_to;
      stopping.estimated_lost_gpu_ms = e.estimated_lost_gpu_ms;
      if (e.is_counted_as_preemption()) remember(owner.preempted_at, event_.time, kKeptPreemptions);
    }
    if (e.stop_by) stopping.stop_by = std::min(stopping.stop_by.value_or(*e.stop_by), *e.stop_by);
    move(stopping, AttemptState::stopping);
    move(owner, JobState::stopping);
    owner.message.clear();
  }
  void operator()(const AttemptProgressed& e) {
    Attempt& reporting = attempt(e.attempt);
    YM_ASSERT(reporting.state != AttemptState::ended);
    if (!reporting.progress) reporting.progress.emplace();
    update(*reporting.progress, e.report, event_.time);
    if (e.report.checkpoint) remember(job(e.attempt.job).checkpoints, *e.report.checkpoint, kKeptCheckpoints);
  }
  void operator()(const TaskEnded& e) {
    TaskStatus& task = task_of(e.attempt, e.task);
    YM_ASSERT(task.state != TaskState::ended);
    task = {.state = TaskState::ended, .exit = e.exit, .ended_seq = event_.seq};
  }
  void operator()(const ContactLost& e) {
    move(attempt(e.attempt), AttemptState::unknown);
    Job& owner = job(e.attempt.job);
    move(owner, JobState::unreachable);
    owner.message = event_.reason;
  }
  void operator()(const ContactRegained& e) {
    Attempt& regained = attempt(e.attempt);
    const bool runs = regained.started_at.has_value();
    job(e.attempt.job).message.clear();
    if (regained.stop_cause) {
      move(regained, AttemptState::stopping);
      move(job(e.attempt.job), JobState::stopping);
    } else {
      move(regained, runs ? AttemptState::running : AttemptState::starting);
      move(job(e.attempt.job), runs ? JobState::running : JobState::starting);
    }
  }
  void operator()(const AttemptEnded& e) {
    Attempt& ended = attempt(e.attempt);
    YM_ASSERT(std::ranges::all_of(ended.tasks, [](const TaskStatus& t) { return t.state == TaskState::ended; }));
    move(ended, AttemptState::ended);
    ended.ended_at = event_.time;
    ended.ended_by = e.by;
    ended.exit_code = e.exit_code;
    ended.signal = e.signal;
    ended.message = e.message;
    ended.lost_gpu_ms = e.lost_gpu_ms;
    ended.culprit = e.culprit;
    // It did not wait while it ran. Its earlier waiting time still counts.
    Job& owner = job(e.attempt.job);
    owner.waits_since = owner.waits_since + (event_.time - ended.admitted_at);
    if (ended.prices_micros.empty()) ended.prices_micros = prices_of(ended.flavor, tables_.flavors);
    const Cost cost = cost_until(ended, owner, event_.time);
    owner.attained_gpu_ms += ended.gpu_ms_until(event_.time, *owner.spec);
    if (cost.gpu_ms > 0) touch<Spending>(settle(tables_.spending, ended.queue, ended.admitted_at, cost));
  }

  void operator()(const RequestAudited&) {}
  void operator()(const LogSealed&) {}
  void operator()(const UsageSampled& e) {
    touch_all_usage();
    sample(tables_.usage, running_usage(tables_), e.at, e.kept);
    touch_all_usage();
    for (const auto& name : drop_old(tables_.spending, e.at)) touch<Spending>(name);
  }

 private:
  Job& job(JobId id) { return tables_.jobs.change(id, touch_first(&Touched::jobs, id), retired()); }
  Attempt& attempt(AttemptKey key) {
    return tables_.attempts.change(key, touch_first(&Touched::attempts, key), retired());
  }
  void touch_all_usage() {
    for (const auto& [name, row] : tables_.usage) touch<Usage>(name);
  }
  TaskStatus& task_of(AttemptKey key, std::int32_t task) {
    auto& tasks = attempt(key).tasks;
    YM_ASSERT(task >= 0 && static_cast<std::size_t>(task) < tasks.size());
    return tasks[static_cast<std::size_t>(task)];
  }
  static void move(Job& job, JobState to) {
    YM_ASSERT(may_follow(job.state, to));
    job.state = to;
    if (to != JobState::queued && to != JobState::held) job.pending.reset();
  }
  static void move(Attempt& attempt, AttemptState to) {
    YM_ASSERT(may_follow(attempt.state, to));
    attempt.state = to;
  }
  const Event& event_;
};

}  // namespace

void apply(Tables& tables, const Event& event, Touched* touched) {
  YM_ASSERT(event.seq == tables.last_seq + 1 && event.time >= tables.last_time);
  std::visit(Fold{tables, event, touched}, event.payload);
  tables.last_seq = event.seq;
  tables.last_time = event.time;
}

}  // namespace ym
