// PodBook: logs of pods that go away.
#include "executor/kubernetes/pods/pod_book.h"

namespace ym::kubernetes {

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

}  // namespace ym::kubernetes
