// PodBook: timeouts.
#include <fmt/format.h>

#include <algorithm>

#include "executor/kubernetes/pods/pod_book.h"

namespace ym::kubernetes {
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
      (task.hopeless_since || task.unbound_since || task.starting_since))
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
  forget_who_led(now);
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

}  // namespace ym::kubernetes
