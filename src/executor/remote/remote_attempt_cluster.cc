// RemoteAttempt: reports of the cluster, and what happens as time passes.
#include <fmt/format.h>

#include <algorithm>

#include "executor/remote/remote_attempt.h"

namespace ym::remote {
namespace {

constexpr Duration kEndTaken = seconds(1);    // after the delivery of an end: its commit takes milliseconds
constexpr Duration kKillPause = seconds(30);  // until the cluster is asked again
constexpr Duration kRemembered = minutes(3);  // after the release; agents linger for less
// Most tasks begin sooner. Each new reason is stored, so the pause doubles if reasons change often.
constexpr Duration kDelayed = seconds(10), kMostDelayPause = minutes(5);
constexpr std::string_view kNoTrace = "the cluster has no trace of it";

std::string words(const Gone& gone, std::string_view otherwise) {
  std::string text = gone.message.empty() ? std::string(otherwise) : gone.message;
  if (gone.exit && gone.exit->exit_code) text += fmt::format(" (exit code {})", *gone.exit->exit_code);
  return text;
}

// The cluster cannot tell the end by a stop from an end of user code's own.
EndedBy by_stop(StopCause cause, EndedBy by) {
  if (by != EndedBy::exit && by != EndedBy::signal && by != EndedBy::lost) return by;
  if (cause == StopCause::cancel) return EndedBy::cancelled;
  return cause == StopCause::preemption ? EndedBy::preempted : by;
}

}  // namespace

bool RemoteAttempt::may_be_forgotten(Instant now) const { return released_at_ && now - *released_at_ >= kRemembered; }

void RemoteAttempt::cluster_says(std::int32_t n, ClusterReport report, Instant now) {
  Task& which = task(n);
  if (which.ended) return;
  knows_nothing_ = false;
  note_start(which, report, now);
  if (auto* doubt = std::get_if<OutOfSight>(&report)) {
    which.out_of_sight = std::move(doubt->message);
  } else {
    which.out_of_sight.reset();
    which.in_sight = true;
  }
  if (auto* gone = std::get_if<Gone>(&report)) {
    if (!which.gone) which.gone_at = now;
    which.gone = std::move(*gone);
    settle(which, now);
  } else if (std::holds_alternative<Alive>(report)) {
    which.gone.reset();
  }
  look_for_contact(now);
}

void RemoteAttempt::note_start(Task& task, const ClusterReport& report, Instant now) const {
  const auto* waits = std::get_if<NotStarted>(&report);
  if (waits && task.waits_for != waits->message) task.waits_since = now;
  task.waits_for = waits ? waits->message : "";
}

void RemoteAttempt::tell_delay(Instant now) {
  if (barrier_ != Barrier::closed || was_open_ || now < delay_told_again_) return;
  const auto waits = std::ranges::find_if(tasks_, [now](const Task& task) {
    return !task.claim && !task.ended && !task.waits_for.empty() && now - task.waits_since >= kDelayed;
  });
  if (waits == tasks_.end()) return;
  const auto prefix = tasks_.size() > 1 ? fmt::format("task {}: ", number_of(*waits)) : "";
  if (const auto message = prefix + waits->waits_for; message != delay_told_) {
    delay_told_ = message;
    delay_told_again_ = now + delay_pause_;
    delay_pause_ = std::min(delay_pause_ + delay_pause_, kMostDelayPause);
    say(StartIsDelayed{.message = message});
  }
}

// An agent with a claim may be about to report how the task ended, which is better than the cluster's report. An agent
// that reports proves that the cluster is wrong. If the cluster does not know how the task ended, an agent that
// reported recently counts as alive.
void RemoteAttempt::settle(Task& task, Instant now) {
  if (task.ended || !task.gone) return;
  const auto& exit = task.gone->exit;
  const bool vague = exit && (exit->by == EndedBy::lost || exit->by == EndedBy::start_failed);
  const bool says_how = exit && !(vague && task.may_have_begun);
  if (task.claim && now - task.gone_at < options_.settle) return;
  if (task.was_heard && now - task.heard < (says_how ? options_.settle : options_.silence)) return;
  end(task, exit_of(task, now), now);
}

bool RemoteAttempt::may_not_have_run(const Task& task) const {
  return adopted_ && task.gone->of_old_agent && !task.ran && task.state != TaskReport::State::running;
}

TaskExit RemoteAttempt::exit_of(const Task& task, Instant now) const {
  const Gone& gone = *task.gone;
  if (!task.may_have_begun)
    return {.by = EndedBy::start_failed,
            .message = words(gone, "it has left the cluster before user code started"),
            .permanent = gone.exit && gone.exit->by == EndedBy::start_failed && gone.exit->permanent,
            .at = now};
  // A cluster that says of a task that was let in that it never began is wrong, or does not know.
  const bool known = gone.exit && gone.exit->exit_code != kNotRunExit && gone.exit->by != EndedBy::start_failed &&
                     !(may_not_have_run(task) && gone.exit->exit_code == 0);
  TaskExit exit = known ? *gone.exit
                        : TaskExit{.by = EndedBy::lost,
                                   .message = words(gone, "it has left the cluster, and it is unknown how it ended")};
  if (exit.message.empty()) exit.message = gone.message;
  if (stop_) {
    exit.by = by_stop(stop_->request.cause, exit.by);
    exit.forced = exit.forced || now >= stop_->deadline + options_.stop_margin;
  }
  return exit;
}

void RemoteAttempt::cluster_knows_nothing(Instant now) {
  knows_nothing_ = true;
  for (auto& task : tasks_) {
    task.waits_for.clear();
    if (!task.ended) task.out_of_sight = kNoTrace;
  }
  give_up_unknown(now);
  look_for_contact(now);
}

void RemoteAttempt::give_up_unknown(Instant now) {
  if (!knows_nothing_ || is_released()) return;
  // No agent is let in any more, and the cluster has no agent that will ask.
  if (barrier_ == Barrier::released && !was_open_) {
    for (auto& task : tasks_)
      if (!task.ended && now - task.heard >= options_.settle)
        end(task, {.by = EndedBy::start_failed, .message = std::string(kNoTrace), .at = now}, now);
    return;
  }
  // An agent that was let in may still be trying to reach this server.
  if (!restored_ || unknown_told_ || (was_open_ && now - since_ < options_.silence)) return;
  unknown_told_ = true;
  say(TokenIsUnknown{.nothing_lives = true});
}

void RemoteAttempt::look_for_contact(Instant now) {
  const Task* missed = nullptr;
  for (auto& task : tasks_) {
    if (task.ended || !task.out_of_sight || now - task.heard < options_.silence) continue;
    task.in_sight = false;
    missed = &task;
  }
  const bool whole = std::ranges::all_of(tasks_, [](const Task& t) { return t.ended || t.in_sight; });
  if (missed && !lost_told_ && !unknown_told_ && !is_released()) {
    lost_told_ = contact_in_doubt_ = true;
    say(ContactIsLost{fmt::format("task {}: {}", number_of(*missed), *missed->out_of_sight)});
  }
  if (!whole || !contact_in_doubt_) return;
  lost_told_ = contact_in_doubt_ = false;
  delay_told_.clear();
  say(ContactIsBack{});
}

void RemoteAttempt::end_was_told(std::int32_t n, Instant now) {
  if (has_task(n) && !task(n).end_told) task(n).end_told = now;
}

// While the gang goes on, control does not confirm that one end is stored: a task that has ended must not occupy its
// node until then.
void RemoteAttempt::store_ends(Instant now) {
  if (std::ranges::all_of(tasks_, [](const Task& t) { return t.ended; })) return;
  for (auto& task : tasks_) {
    if (!task.end_told || task.end_stored || now - *task.end_told < kEndTaken) continue;
    task.end_stored = true;
    bump(task, now);
  }
}

bool RemoteAttempt::is_to_be_killed(const Task& task, Instant now) const {
  if (task.ended || task.gone || now < task.kill_again) return false;
  if (is_released()) return true;
  if (barrier_ == Barrier::released && !was_open_)
    return !task.claim || now - barrier_released_at_ >= options_.stop_margin;
  return stop_ && now >= stop_->deadline + options_.stop_margin;
}

void RemoteAttempt::tick(Instant now, std::vector<KillTask>& kills) {
  if (!is_released()) {
    for (auto& task : tasks_) settle(task, now);
    if (barrier_ == Barrier::closed && first_claim_at_ && !asked_ && now - *first_claim_at_ >= options_.start_timeout)
      release_barrier(StopCause::start_timeout, now);
    give_up_unknown(now);
    look_for_contact(now);
    tell_delay(now);
    store_ends(now);
  }
  for (auto& task : tasks_) {
    if (!is_to_be_killed(task, now)) continue;
    task.kill_again = now + kKillPause;
    kills.push_back({token(), number_of(task)});
  }
}

}  // namespace ym::remote
