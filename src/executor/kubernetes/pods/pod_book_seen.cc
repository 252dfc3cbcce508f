// PodBook: events of pods.
#include <fmt/format.h>

#include <algorithm>

#include "executor/kubernetes/pods/pod_book.h"

namespace ym::kubernetes {
namespace {

bool same_report(const remote::ClusterReport& a, const remote::ClusterReport& b) {
  if (a.index() != b.index()) return false;
  if (const auto* one = std::get_if<remote::NotStarted>(&a))
    return one->message == std::get_if<remote::NotStarted>(&b)->message;
  if (const auto* one = std::get_if<remote::Alive>(&a)) return one->node == std::get_if<remote::Alive>(&b)->node;
  if (const auto* one = std::get_if<remote::Gone>(&a))
    return one->exit.has_value() == std::get_if<remote::Gone>(&b)->exit.has_value();
  return true;
}

// Whether the condition holds, and has held for `time`.
bool lasts(std::optional<Instant>& since, bool is_so, Duration time, Instant now) {
  if (!is_so) since.reset();
  else if (!since) since = now;
  return since && *since + time <= now;
}

std::string not_started_on(const PodView& pod, Duration time) {
  const auto why = why_pending(pod);
  return fmt::format("its pod did not start on {} within {} minutes: {}", pod.node, time.ms / minutes(1).ms,
                     why.empty() ? "its node does not say why" : why);
}

// A leader removes its ended pods at once, so between two pods it still leads.
constexpr Duration kStillLeads = minutes(5);

}  // namespace

// After its end only the kind of end is new; a kubelet may report it later.
void PodBook::say(const PodKey& key, Run& run, Task& task, remote::ClusterReport report, Effects& out) {
  const auto* gone = std::get_if<remote::Gone>(&report);
  if (task.stage == Task::Stage::over && !(task.reported && gone && gone->exit)) return;
  if (gone) task.stage = Task::Stage::over;
  if (run.refused || (task.reported && same_report(*task.reported, report))) return;
  task.reported = report;
  out.reports.push_back({key, std::move(report)});
}

void PodBook::remove(const PodKey& key, Task& task, Duration grace, Effects& out) {
  if (std::exchange(task.removing, true)) return;
  task.killed = grace <= kKillGrace;
  out.remove.push_back({.key = key, .uid = task.uid, .grace = grace, .node = task.last.node});
}

// Removes it first: until it is gone, the pod may still start.
void PodBook::give_up(const PodKey& key, Task& task, PodVerdict::CannotStart why, Effects& out) {
  if (task.given_up) return;
  task.given_up = std::move(why);
  remove(key, task, kKillGrace, out);
}

Effects PodBook::seen(const PodView& pod, Instant now) {
  Effects out;
  const auto key = owner_of(pod.meta.name, pod.labels, rules_.pod.instance);
  if (!key) return out;
  auto* task = task_of(*key);
  if (!task) {
    if (!knows(key->token)) {
      check_leader(*key, pod, now, out);
      note_unknown(*key, pod, now);
    }
    return out;
  }
  auto& run = *run_of(key->token);
  if (!task->uid.empty() && task->uid != pod.meta.uid) return out;
  look_after_log(*key, run, *task, pod, out);
  task->uid = pod.meta.uid;
  task->present = true;
  task->last = pod;
  if (task->stage == Task::Stage::wanted || task->stage == Task::Stage::vanished) task->stage = Task::Stage::there;
  if (!run.restored && !std::exchange(run.accepted, true) && !run.refused)
    out.observations.push_back({.token = key->token, .what = LaunchAccepted{}});
  if (!run.restored) judge(*key, run, *task, now, out);
  return out;
}

void PodBook::judge(const PodKey& key, Run& run, Task& task, Instant now, Effects& out) {
  const auto& pod = task.last;
  auto verdict = judge_pod(pod, pod.node.empty() ? NodeContact::good : contact_(pod.node).contact);
  if (auto* gone = std::get_if<remote::Gone>(&verdict.report); gone && task.given_up)
    *gone = never_started(*task.given_up);
  say(key, run, task, verdict.report, out);
  if (run.closed && !pod.deleting && !run.released_at) remove(key, task, kKillGrace, out);
  check_timeouts(key, task, verdict, now, out);
}

// If its node does not report, it is unknown whether the pod has started.
void PodBook::check_timeouts(const PodKey& key, Task& task, const PodVerdict& verdict, Instant now, Effects& out) {
  const auto& pod = task.last;
  const auto& cannot_start = verdict.cannot_start;
  const bool too_long = lasts(task.cannot_start_since, cannot_start.has_value(), rules_.cannot_start, now);
  if (cannot_start && (cannot_start->at_once || too_long)) give_up(key, task, *cannot_start, out);
  const bool waits = std::holds_alternative<remote::NotStarted>(verdict.report);
  const bool unbound = waits && pod.node.empty() && rules_.pod.node_choice == NodeChoice::ours;
  if (lasts(task.unbound_since, unbound, rules_.bind, now))
    give_up(key, task, {.message = "the cluster did not place its pod: " + pod.unscheduled}, out);
  if (lasts(task.starting_since, waits && !pod.node.empty(), rules_.start, now))
    give_up(key, task, {.message = not_started_on(pod, rules_.start)}, out);
}

void PodBook::vanish(const PodKey& key, Run& run, Task& task, Instant now, Effects& out) {
  if (task.stage == Task::Stage::over) return;
  // Its launch barrier is closed for good: user code never runs, even if a part of the pod is left.
  if (run.closed) {
    const PodVerdict::CannotStart stopped{.message = "stopped before user code started"};
    return say(key, run, task, never_started(task.given_up.value_or(stopped)), out);
  }
  task.stage = Task::Stage::vanished;
  task.vanished_at = now;
  if (task.last.node.empty()) task.last.node = task.claim_node;
  say(key, run, task,
      remote::OutOfSight{fmt::format("its pod was deleted, and node {} has not confirmed its end", task.last.node)},
      out);
  out.close_barrier.push_back(key.token);
}

Effects PodBook::removed(const PodView& last, Instant now) {
  Effects out;
  const auto key = owner_of(last.meta.name, last.labels, rules_.pod.instance);
  if (key) forget_unknown(*key, last.meta.uid, now);
  auto* task = key ? task_of(*key) : nullptr;
  if (!task || (!task->uid.empty() && task->uid != last.meta.uid)) return out;
  auto& run = *run_of(key->token);
  task->uid = last.meta.uid;
  task->present = false;
  task->last = last;
  // It ran, so it was bound after this last view of it.
  const bool is_old = last.node.empty() && !task->claim_node.empty();
  if (auto gone = is_old ? std::nullopt : judge_removed(last)) {
    if (task->given_up) *gone = never_started(*task->given_up);
    say(*key, run, *task, *gone, out);
  } else {
    vanish(*key, run, *task, now, out);
  }
  return out;
}

// For an attempt that an earlier server launched: now it is known which of its pods exist.
void PodBook::reconcile(const Token& token, Run& run, Instant now, Effects& out) {
  run.restored = false;
  const auto is_there = [](const Task& task) { return task.present || task.stage == Task::Stage::over; };
  const auto ran = [](const Task& task) { return !task.claim_node.empty(); };
  if (std::ranges::none_of(run.tasks, is_there) && std::ranges::none_of(run.tasks, ran)) {
    out.unknown.push_back(token);
    runs_.erase(token);
    return;
  }
  if (!std::exchange(run.accepted, true)) out.observations.push_back({.token = token, .what = LaunchAccepted{}});
  for (std::size_t i = 0; i < run.tasks.size(); ++i) {
    auto& task = run.tasks[i];
    const PodKey key{token, static_cast<std::int32_t>(i)};
    if (task.present) judge(key, run, task, now, out);
    else if (ran(task)) vanish(key, run, task, now, out);
    // The barrier was never opened: no earlier pod has run.
    else if (!is_there(task) && !run.closed) queue_up(key, task, Task::Queued::create, out);
  }
  if (run.closed) close_tasks(token, run, now, out);
}

// The pod may be newer than the list, and the next event shows it; or it is gone and is never shown.
void PodBook::add_unseen(const Token& token, const Run& run, Effects& out) {
  for (std::size_t i = 0; i < run.tasks.size(); ++i)
    if (run.tasks[i].stage == Task::Stage::there && run.tasks[i].last.meta.uid.empty())
      out.look_up.push_back({token, static_cast<std::int32_t>(i)});
}

Effects PodBook::all_listed(Instant now) {
  Effects out;
  listed_ = true;
  std::vector<Token> restored;
  for (const auto& [token, run] : runs_)
    if (run.restored) restored.push_back(token);
    else add_unseen(token, run, out);
  for (const auto& token : restored) reconcile(token, *run_of(token), now, out);
  tidy_unknown_pods(now, out);
  return out;
}

Effects PodBook::node_changed(const std::string& node, Instant now) {
  Effects out;
  for (auto& [token, run] : runs_)
    for (std::size_t i = 0; i < run.tasks.size(); ++i) {
      auto& task = run.tasks[i];
      if (task.present && !run.restored && task.last.node == node)
        judge({token, static_cast<std::int32_t>(i)}, run, task, now, out);
    }
  return out;
}

void PodBook::begin_epoch(std::uint64_t epoch) {
  newest_ = std::max(newest_, epoch);
  std::erase_if(newer_, [this](const auto& entry) { return entry.first.token.epoch <= newest_; });
}

// A server without contact to its database does not learn that another has taken over; a pod of the other one is proof.
void PodBook::check_leader(const PodKey& key, const PodView& pod, Instant now, Effects& out) {
  const auto epoch = key.token.epoch;
  if (epoch <= newest_) return;
  auto& newer = newer_[key];
  newer.uid = pod.meta.uid;
  if (!pod.is_over()) newer.over_since.reset();
  else if (!newer.over_since) newer.over_since = now;
  if (epoch <= noted_) return;
  noted_ = epoch;
  out.notes.push_back(
      fmt::format("a pod of epoch {} exists ({}), newer than this server's {}: another server leads. While that pod "
                  "exists, this server creates and deletes no pods",
                  epoch, pod.meta.name, newest_));
}

void PodBook::forget_old_leaders(Instant now) {
  std::erase_if(newer_, [now](const auto& entry) {
    return entry.second.over_since && *entry.second.over_since + kStillLeads <= now;
  });
}

bool PodBook::is_left_alone(const PodView& pod) const {
  const auto key = owner_of(pod.meta.name, pod.labels, rules_.pod.instance);
  return key && left_alone_.contains(*key) && !knows(key->token);
}

std::optional<Token> PodBook::active_unknown(const PodView& pod) const {
  const auto key = owner_of(pod.meta.name, pod.labels, rules_.pod.instance);
  if (!key || knows(key->token) || pod.is_over() || pod.node.empty()) return std::nullopt;
  return key->token;
}

// A running pod gets the answer that its launch is over, and ends; unless its launch is lost.
void PodBook::note_unknown(const PodKey& key, const PodView& pod, Instant now) {
  const bool over = pod.is_over(), lost = active_unknown(pod) && is_lost_(key.token).value_or(true);
  if (lost) left_alone_.insert(key);
  else left_alone_.erase(key);
  if (pod.deleting || (!over && pod.phase != "Pending")) {
    unknown_pods_.erase(key);
    return;
  }
  const auto [at, fresh] = unknown_pods_.try_emplace(key);
  if (fresh || at->second.uid != pod.meta.uid || at->second.over != over)
    at->second = {.uid = pod.meta.uid, .node = pod.node, .over = over, .since = now};
  at->second.node = pod.node;
  at->second.lost = lost;
}

void PodBook::forget_unknown(const PodKey& key, const std::string& uid, Instant now) {
  left_alone_.erase(key);
  if (const auto known = unknown_pods_.find(key); known != unknown_pods_.end() && known->second.uid == uid)
    unknown_pods_.erase(known);
  if (const auto newer = newer_.find(key);
      newer != newer_.end() && newer->second.uid == uid && !newer->second.over_since)
    newer->second.over_since = now;
}

void PodBook::tidy_unknown_pods(Instant now, Effects& out) {
  if (is_replaced()) return;
  std::erase_if(unknown_pods_, [this](const auto& entry) { return knows(entry.first.token); });
  for (auto& [key, pod] : unknown_pods_) {
    const auto wait = pod.over ? rules_.keep_finished : rules_.leave;
    // It may have begun while its node could not report it.
    if (pod.lost && contact_(pod.node).contact != NodeContact::good) continue;
    if (pod.removing || key.token.epoch > newest_ || now < pod.since + wait) continue;
    pod.removing = true;
    out.remove.push_back({.key = key, .uid = pod.uid, .grace = kKillGrace, .keep_log = pod.over, .node = pod.node});
  }
}

}  // namespace ym::kubernetes
