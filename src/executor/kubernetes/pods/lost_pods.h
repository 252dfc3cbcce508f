// Lost launches (executor/lost_launch.h) among the pods of this server. Pure.
//
// A gang is complete when its launch barrier opens. So if a pod of a gang was never bound to a node, user code never
// ran. That is not a lost launch, and its pods are not needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "executor/kubernetes/pods/pod_view.h"
#include "executor/lost_launch.h"

namespace ym::kubernetes {

struct ListedPod {
  PodView pod;
  std::optional<std::int32_t> of;  // number of tasks of the attempt; empty: unknown
};

// From the annotations. Pods of earlier versions have them only with Kueue.
std::optional<std::int32_t> tasks_of_attempt(const json::value& pod);

// Ordered by token.
std::vector<LostLaunch> lost_among(const std::vector<ListedPod>& pods, const std::string& instance,
                                   const IsLost& is_lost);

}  // namespace ym::kubernetes
