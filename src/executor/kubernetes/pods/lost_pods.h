// Launches of this server's among the pods that its state does not know (executor/lost_launch.h). Pure.
//
// A gang is whole at its start gate. So of one with a pod that was never bound to a node nothing ran: that is no lost
// launch, and what there is of it nobody needs.
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
  std::optional<std::int32_t> of;  // tasks that its attempt has; nothing: it does not say
};

// As its annotations say, which those of pods of versions before this one do for Kueue alone.
std::optional<std::int32_t> tasks_of_attempt(const json::value& pod);

// By token.
std::vector<LostLaunch> lost_among(const std::vector<ListedPod>& pods, const std::string& instance,
                                   const IsLost& is_lost);

}  // namespace ym::kubernetes
