#include "executor/kubernetes/pods/lost_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/whole_number.h"
#include "executor/kubernetes/pods/names.h"
#include "executor/kubernetes/pods/pod_state.h"

namespace ym::kubernetes {
namespace {

using Pods = std::map<std::int32_t, const ListedPod*>;  // by task

std::string pointer_to(std::string annotation) {
  return "/metadata/annotations/" + annotation.replace(annotation.find('/'), 1, "~1");
}

// The state of a node that does not report is unknown, so that does not make the pod ended.
bool is_over(const PodView& pod) {
  return std::holds_alternative<remote::Gone>(judge_pod(pod, NodeContact::good).report);
}

std::vector<TaskPlacement> placement_of(const Pods& pods) {
  std::vector<TaskPlacement> tasks;
  for (const auto& [task, listed] : pods) {
    const bool fits = listed->of && std::cmp_equal(*listed->of, pods.size()) && std::cmp_equal(task, tasks.size());
    if (!fits || listed->pod.node.empty()) return {};
    tasks.push_back({.task = task, .node = listed->pod.node, .devices = {}});
  }
  return tasks;
}

std::string where_of(const Pods& pods) {
  const auto& first = pods.begin()->second->pod.meta.name;
  return pods.size() == 1 ? "pod " + first : fmt::format("pod {} and {} more", first, pods.size() - 1);
}

}  // namespace

std::optional<std::int32_t> tasks_of_attempt(const json::value& pod) {
  if (const auto tasks = whole_number<std::int32_t>(text_at(pod, pointer_to(std::string(kTasksAnnotation)))))
    return tasks;
  return whole_number<std::int32_t>(text_at(pod, pointer_to("kueue.x-k8s.io/pod-group-total-count")));
}

std::vector<LostLaunch> lost_among(const std::vector<ListedPod>& pods, const std::string& instance,
                                   const IsLost& is_lost) {
  std::map<Token, Pods> launches;
  for (const auto& listed : pods)
    if (const auto key = owner_of(listed.pod.meta.name, listed.pod.labels, instance))
      launches[key->token][key->task] = &listed;
  std::vector<LostLaunch> lost;
  for (const auto& [token, parts] : launches) {
    const auto was_bound = [](const auto& each) { return !each.second->pod.node.empty(); };
    if (!std::ranges::all_of(parts, was_bound) || !is_lost(token)) continue;
    lost.push_back({.token = token,
                    .placement = placement_of(parts),
                    .lives = !std::ranges::all_of(parts, [](const auto& each) { return is_over(each.second->pod); }),
                    .where = where_of(parts)});
  }
  return lost;
}

}  // namespace ym::kubernetes
