#include "executor/kubernetes/pods/pod_book.h"

#include <fmt/format.h>
#include <algorithm>

namespace ym::kubernetes {
namespace {

constexpr Duration kTryAgain = seconds(2), kQuotaAgain = seconds(10), kMostBetweenLooks = minutes(1);

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  std::ranges::move(from, std::back_inserter(to));
}

}  // namespace

void Effects::add(Effects more) {
  append(observations, more.observations);
  append(reports, more.reports);
  append(unknown, more.unknown);
  append(close_barrier, more.close_barrier);
  append(create, more.create);
  append(look_up, more.look_up);
  append(save_log, more.save_log);
  append(remove, more.remove);
  append(notes, more.notes);
}

PodBook::PodBook(BookRules rules, std::function<ContactSince(const std::string&)> contact)
    : rules_(std::move(rules)), contact_(std::move(contact)) {}

PodBook::Run* PodBook::run_of(const Token& token) {
  const auto found = runs_.find(token);
  return found == runs_.end() ? nullptr : &found->second;
}

PodBook::Task* PodBook::task_of(const PodKey& key) {
  auto* run = run_of(key.token);
  const auto index = static_cast<std::size_t>(key.task);
  return run && key.task >= 0 && index < run->tasks.size() ? &run->tasks[index] : nullptr;
}

void PodBook::restore(const LiveAttempt& live) {
  Run run{.request = std::make_shared<const LaunchRequest>(live.request), .tasks = {}, .restored = true};
  run.tasks.resize(live.request.placement.size());
  for (std::size_t i = 0; i < std::min(run.tasks.size(), live.tasks.size()); ++i) {
    const auto& stored = live.tasks[i];
    if (stored.claim || live.adopted)
      run.tasks[i].claim_node = stored.claim ? stored.claim->node : live.request.placement[i].node;
    if (stored.state == TaskState::ended) run.tasks[i].stage = Task::Stage::over;
  }
  begin_epoch(live.request.token.epoch);
  runs_[live.request.token] = std::move(run);
}

Effects PodBook::launch(LaunchRequest request, Instant now) {
  Effects out;
  const auto token = request.token;
  const auto tasks = request.placement.size();
  const auto [at, fresh] = runs_.try_emplace(token);
  // Known already: its pods exist or are being created.
  if (!fresh) return out;
  begin_epoch(token.epoch);
  at->second.request = std::make_shared<const LaunchRequest>(std::move(request));
  at->second.tasks.resize(tasks);
  for (std::size_t i = 0; i < tasks; ++i) {
    auto& task = at->second.tasks[i];
    task.retry_at = now + kLookAgain;
    queue_up({token, static_cast<std::int32_t>(i)}, task, Task::Queued::create, out);
  }
  return out;
}

void PodBook::queue_up(const PodKey& key, Task& task, Task::Queued what, Effects& out) {
  if (std::exchange(task.queued, what) != what)
    (what == Task::Queued::create ? out.create : out.look_up).push_back(key);
}

void PodBook::close_tasks(const Token& token, Run& run, Instant now, Effects& out) {
  run.closed = true;
  for (std::size_t i = 0; i < run.tasks.size(); ++i)
    close_task({token, static_cast<std::int32_t>(i)}, run, run.tasks[i], now, out);
}

void PodBook::close_task(const PodKey& key, Run& run, Task& task, Instant now, Effects& out) {
  if (task.present) remove(key, task, kKillGrace, out);
  // A rest on a node that does not report is harmless: no task is let in.
  if (task.stage == Task::Stage::vanished) {
    const PodVerdict::CannotStart deleted{.message = "its pod was deleted before user code started"};
    return say(key, run, task, never_started(task.given_up.value_or(deleted)), out);
  }
  if (task.stage != Task::Stage::wanted || task.creating || run.restored) return;
  if (task.tries == 0)
    return say(key, run, task, never_started({.message = "stopped before its pod was created"}), out);
  task.retry_at = now + kLookAgain;
  queue_up(key, task, Task::Queued::look_up, out);
}

Effects PodBook::close(const Token& token, Instant now) {
  Effects out;
  if (auto* run = run_of(token)) close_tasks(token, *run, now, out);
  return out;
}

Effects PodBook::kill(const PodKey& key) {
  Effects out;
  auto* task = task_of(key);
  if (!task || !task->present || task->killed) return out;
  task->removing = false;  // an earlier removal may have a longer grace
  remove(key, *task, kKillGrace, out);
  auto& removal = out.remove.back();
  removal.keep_log = has_log(*run_of(key.token), task->last);
  removal.is_kill = true;
  return out;
}

// If the cluster chooses nodes, only the claim tells the node of a pod that no watch has shown.
void PodBook::let_in(const Token& token, std::span<const TaskClaim> claims) {
  auto* run = run_of(token);
  if (!run || claims.size() != run->tasks.size()) return;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    auto& task = run->tasks[i];
    task.claim_node = claims[i].node;
    if (task.stage == Task::Stage::vanished && task.last.node.empty()) task.last.node = task.claim_node;
  }
}

Effects PodBook::release(const Token& token, Instant now) {
  Effects out;
  auto* run = run_of(token);
  if (!run) return out;
  run->released_at = now;
  run->closed = true;
  out.add(tick(now));
  return out;
}

std::shared_ptr<const LaunchRequest> PodBook::begin(const PodKey& key) {
  auto* run = run_of(key.token);
  auto* task = task_of(key);
  if (task && task->queued == Task::Queued::create) task->queued = Task::Queued::nothing;
  if (!task || run->closed || task->creating || task->stage != Task::Stage::wanted || is_replaced()) return nullptr;
  task->creating = true;
  ++task->tries;
  return run->request;
}

// The pending request has its answer. Null: the task is unknown now.
PodBook::Task* PodBook::answered(const PodKey& key) {
  auto* task = task_of(key);
  if (!task) return nullptr;
  task->creating = false;
  task->queued = Task::Queued::nothing;
  return task;
}

Effects PodBook::created(const PodKey& key, const std::string& uid, Instant) {
  Effects out;
  auto* run = run_of(key.token);
  auto* task = answered(key);
  if (!task) {
    out.remove.push_back({.key = key, .uid = uid, .grace = kKillGrace});
    return out;
  }
  // The pod may have been seen, and even deleted, before the answer came.
  if (task->stage == Task::Stage::wanted) {
    task->stage = Task::Stage::there;
    task->present = true;
    task->uid = uid;
  }
  if (!std::exchange(run->accepted, true) && !run->refused)
    out.observations.push_back({.token = key.token, .what = LaunchAccepted{}});
  if (run->closed && task->present) remove(key, *task, kKillGrace, out);
  return out;
}

void PodBook::refuse(const Token& token, Run& run, LaunchRefused why, Instant now, Effects& out) {
  if (!std::exchange(run.refused, true)) out.observations.push_back({.token = token, .what = std::move(why)});
  close_tasks(token, run, now, out);
}

Effects PodBook::foreign(const PodKey& key, const std::string& uid, Instant now) {
  Effects out;
  auto* run = run_of(key.token);
  auto* task = answered(key);
  if (!task) return out;
  task->stage = Task::Stage::over;
  refuse(key.token, *run,
         {.message = fmt::format("another program has a pod named {} ({})", pod_name(key), uid),
          .permanent = false,
          .of_executor = true},
         now, out);
  return out;
}

Effects PodBook::failed(const PodKey& key, const ApiError& error, Instant now) {
  using Kind = ApiError::Kind;
  Effects out;
  auto* run = run_of(key.token);
  auto* task = answered(key);
  if (!task) return out;
  if (error.kind == Kind::refused || error.kind == Kind::forbidden || error.kind == Kind::not_found ||
      error.kind == Kind::unauthenticated) {
    const bool permanent = error.kind == Kind::refused;
    task->stage = Task::Stage::over;
    refuse(key.token, *run,
           {.message = "the cluster refuses its pod: " + as_error(error).message,
            .permanent = permanent,
            .of_executor = !permanent},
           now, out);
    return out;
  }
  // Then it is created again, or looked up if it is not wanted any more.
  task->retry_at = now + (error.kind == Kind::over_quota ? kQuotaAgain : kTryAgain);
  say(key, *run, *task, remote::NotStarted{as_error(error).message}, out);
  return out;
}

Effects PodBook::not_looked_up(const PodKey& key, const ApiError& error, Instant now) {
  Effects out;
  auto* run = run_of(key.token);
  auto* task = answered(key);
  if (!task) return out;
  task->retry_at = now + std::min(Duration{kTryAgain.ms << std::min(task->looks_in_vain++, 5)}, kMostBetweenLooks);
  task->look_again = task->stage == Task::Stage::there && task->last.meta.uid.empty();
  if (task->stage == Task::Stage::wanted) say(key, *run, *task, remote::NotStarted{as_error(error).message}, out);
  return out;
}

// A pod that the server created and no watch has shown was created and deleted between a watch and the list after it:
// it may have run.
Effects PodBook::absent(const PodKey& key, Instant now) {
  Effects out;
  auto* run = run_of(key.token);
  auto* task = task_of(key);
  if (task) task->queued = Task::Queued::nothing;
  if (task && task->stage == Task::Stage::there && task->last.meta.uid.empty()) {
    task->present = false;
    if (rules_.pod.node_choice != NodeChoice::delegated)
      task->last.node = run->request->placement[static_cast<std::size_t>(key.task)].node;
    vanish(key, *run, *task, now, out);
    return out;
  }
  if (!task || task->stage != Task::Stage::wanted || !run->closed) return out;
  task->tries = 0;
  close_task(key, *run, *task, now, out);
  return out;
}

// Whether there is a log, and a node to read it from.
bool PodBook::has_log(const Run& run, const PodView& pod) const {
  const bool began = !pod.node.empty() && pod.phase != "Pending" && !pod.phase.empty();
  return began && !run.closed && contact_(pod.node).contact == NodeContact::good;
}

// A deletion, or an eviction by the kubelet, removes the log with the container.
void PodBook::look_after_log(const PodKey& key, const Run& run, Task& task, const PodView& pod, Effects& out) const {
  const bool evicted = pod.is_over() && (pod.reason == "Evicted" || !pod.disruption.empty());
  const bool news = !task.leaving || pod.is_over() != task.last.is_over();
  task.leaving = (pod.deleting || evicted) && !task.removing;
  if (!task.leaving || !news || !has_log(run, pod)) return;
  out.save_log.push_back({.key = key, .node = pod.node, .whole = pod.is_over()});
}

// The pod still exists: its container runs until the agent has ended.
Effects PodBook::ended(const PodKey& key) {
  Effects out;
  const auto* task = task_of(key);
  if (task && task->present && (task->last.deleting || task->killed) && has_log(*run_of(key.token), task->last))
    out.save_log.push_back({.key = key, .node = task->last.node});
  return out;
}

void PodBook::log_saved(const PodKey& key) {
  if (auto* task = task_of(key)) task->log_saved = true;
}

// A kubelet in contact learns within moments that a pod must end, and ends it within its grace.
void PodBook::pass(const PodKey& key, Run& run, Task& task, Instant now, Effects& out) {
  const bool due = task.stage == Task::Stage::wanted && !task.creating && task.retry_at <= now;
  if (due && !(run.closed && task.tries == 0)) {
    task.retry_at = now + kLookAgain;
    queue_up(key, task, run.closed ? Task::Queued::look_up : Task::Queued::create, out);
  }
  if (task.look_again && task.retry_at <= now) {
    task.look_again = false;
    if (task.last.meta.uid.empty()) queue_up(key, task, Task::Queued::look_up, out);
  }
  if (task.present && task.stage == Task::Stage::there &&
      (task.cannot_start_since || task.unbound_since || task.starting_since))
    judge(key, run, task, now, out);
  if (task.stage != Task::Stage::vanished) return;
  const auto node = contact_(task.last.node);
  const auto wait = rules_.node_contact + (task.killed ? kKillGrace : pod_grace(*run.request->spec, rules_.pod));
  if (node.contact != NodeContact::good || now < std::max(node.since, task.vanished_at) + wait) return;
  say(key, run, task,
      remote::Gone{.exit = {}, .message = fmt::format("its pod was deleted, and node {} has ended it", task.last.node)},
      out);
}

void PodBook::tidy(const PodKey& key, const Run& run, Task& task, Instant now, Effects& out) {
  if (!run.released_at || !task.present || task.removing) return;
  const bool over = task.last.is_over();
  if (now < *run.released_at + (over ? rules_.keep_finished : rules_.leave)) return;
  task.removing = true;
  out.remove.push_back({.key = key,
                        .uid = task.uid,
                        .grace = over ? kKillGrace : rules_.leave,
                        .keep_log = !task.log_saved,
                        .is_kill = !over,
                        .node = task.last.node});
}

Effects PodBook::tick(Instant now) {
  Effects out;
  forget_old_leaders(now);
  for (auto it = runs_.begin(); it != runs_.end();) {
    auto& [token, run] = *it;
    bool done = run.released_at.has_value();
    for (std::size_t i = 0; i < run.tasks.size(); ++i) {
      const PodKey key{token, static_cast<std::int32_t>(i)};
      auto& task = run.tasks[i];
      if (!run.restored && !run.released_at) pass(key, run, task, now, out);
      tidy(key, run, task, now, out);
      if (task.present || task.creating) done = false;
    }
    it = done ? runs_.erase(it) : std::next(it);
  }
  if (listed_) tidy_unknown_pods(now, out);
  return out;
}

}  // namespace ym::kubernetes
