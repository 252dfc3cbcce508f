// What a pod of ours says of its task. Pure.
//
// The API server shows what it was told last, not what is: a pod on a node that does not report may run on, whatever
// its phase, and so may one that somebody removed by force. Gone is said only where the kubelet has said so: a terminal
// phase without a container that runs, or one that was never bound to a node. What is sure of neither is OutOfSight.
// Where the kubelet does not say what became of the task's container, Gone has no exit: it may have run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "executor/kubernetes/pods/pod_view.h"
#include "executor/remote/task_desk.h"

namespace ym::kubernetes {

// What is known of the node that a pod is bound to.
enum class NodeContact : std::uint8_t {
  unknown,  // no such node is known (any more)
  lost,     // its kubelet does not report
  good,
};

struct PodVerdict {
  remote::ClusterWord word;
  // It cannot start, or not like this: to be deleted once it has lasted so long, and never tried again where it is
  // for good.
  struct Hopeless {
    std::string message;
    bool at_once = false;
    bool permanent = false;
  };
  std::optional<Hopeless> hopeless;
};

PodVerdict judge_pod(const PodView& pod, NodeContact contact);

// Of the last that was seen of a pod that is no more: whether that proves that its processes are gone.
std::optional<remote::Gone> judge_removed(const PodView& last);

// Of one that was never let in, and will not be.
remote::Gone never_started(const PodVerdict::Hopeless& why);

// Of one that is Pending on its node: what its kubelet said last of why. May be empty.
std::string why_pending(const PodView& pod);

// How the task's container ended, if it did.
std::optional<TaskExit> exit_of(const PodView& pod);

}  // namespace ym::kubernetes
