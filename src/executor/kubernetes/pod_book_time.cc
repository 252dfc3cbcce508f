// PodBook: what time brings.
#include <fmt/format.h>

#include <algorithm>

#include "executor/kubernetes/pod_book.h"

namespace ym::kubernetes {
namespace {

constexpr Duration kKillGrace = seconds(1);

}  // namespace

// A kubelet that is in contact learns within moments that a pod is to end, and ends it within its grace.
void PodBook::pass(const PodKey& key, Run& run, Task& task, Instant now, Effects& out) {
  const bool due = task.stage == Task::Stage::wanted && !task.creating && task.retry_at <= now;
  if (due && !(run.closed && task.tries == 0)) {
    task.retry_at = now + seconds(10);
    (run.closed ? out.look_up : out.create).push_back(key);
  }
  if (task.present && task.stage == Task::Stage::there && (task.hopeless_since || task.unbound_since))
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
  out.remove.push_back(
      {.key = key, .uid = task.uid, .grace = over ? kKillGrace : rules_.leave, .keep_log = !task.log_saved});
}

Effects PodBook::tick(Instant now) {
  Effects out;
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
  if (listed_) tidy_strangers(now, out);
  return out;
}

// One that runs is told by us that it is over, and leaves.
void PodBook::note_stranger(const PodKey& key, const PodView& pod, Instant now) {
  const bool over = pod.is_over();
  if (pod.deleting || (!over && pod.phase != "Pending")) {
    strangers_.erase(key);
    return;
  }
  const auto [at, fresh] = strangers_.try_emplace(key);
  if (fresh || at->second.uid != pod.meta.uid || at->second.over != over)
    at->second = {.uid = pod.meta.uid, .over = over, .since = now};
}

void PodBook::tidy_strangers(Instant now, Effects& out) {
  std::erase_if(strangers_, [this](const auto& entry) { return knows(entry.first.token); });
  for (auto& [key, pod] : strangers_) {
    const auto wait = pod.over ? rules_.keep_finished : rules_.leave;
    if (pod.removing || key.token.epoch > newest_ || now < pod.since + wait) continue;
    pod.removing = true;
    out.remove.push_back({.key = key, .uid = pod.uid, .grace = kKillGrace, .keep_log = pod.over});
  }
}

}  // namespace ym::kubernetes
