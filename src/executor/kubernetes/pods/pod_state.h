// What the state of a pod says about its task. Pure.
//
// The API server shows the last report, not the current state. A pod on a node that does not report may still run,
// whatever its phase; so may one that was deleted by force. Gone is returned only if the kubelet has confirmed it: a
// terminal phase without a running container, or a pod that was never bound to a node. Uncertain states are OutOfSight.
// If the kubelet does not report how the task's container ended, Gone has no exit: it may have run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "executor/kubernetes/pods/pod_view.h"
#include "executor/remote/task_registry.h"

namespace ym::kubernetes {

// The contact with the node that a pod is bound to.
enum class NodeContact : std::uint8_t {
  unknown,  // no such node is known (any more)
  lost,     // its kubelet does not report
  good,
};

struct PodVerdict {
  remote::ClusterReport report;
  // The pod cannot start, or not in this form: delete it once this has lasted for some time. `permanent`: never try
  // again.
  struct CannotStart {
    std::string message;
    bool at_once = false;
    bool permanent = false;
  };
  std::optional<CannotStart> cannot_start;
};

PodVerdict judge_pod(const PodView& pod, NodeContact contact);

// From the last view of a deleted pod: whether that proves that its processes are gone.
std::optional<remote::Gone> judge_removed(const PodView& last);

// For a task that was not let in and will not be.
remote::Gone never_started(const PodVerdict::CannotStart& why);

// For a pod that is Pending on its node: the last reason from its kubelet. May be empty.
std::string why_pending(const PodView& pod);

// How the container of the task ended, if it did.
std::optional<TaskExit> exit_of(const PodView& pod);

}  // namespace ym::kubernetes
