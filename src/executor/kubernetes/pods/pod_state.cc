#include "executor/kubernetes/pods/pod_state.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>

#include "executor/kubernetes/pods/pod.h"

namespace ym::kubernetes {
namespace {

using State = ContainerView::State;

std::string words(const std::string& reason, const std::string& message) {
  if (reason.empty() || message.empty()) return reason + message;
  return reason + ": " + message;
}

const ContainerView* task_container(const PodView& pod) {
  const auto found = std::ranges::find(pod.containers, kTaskContainer, &ContainerView::name);
  return found == pod.containers.end() ? nullptr : &*found;
}

bool any_runs(const PodView& pod) {
  const auto runs = [](const ContainerView& each) { return each.state == State::running; };
  return std::ranges::any_of(pod.containers, runs) || std::ranges::any_of(pod.setup, runs);
}

bool is_one_of(const std::string& reason, std::span<const std::string_view> reasons) {
  return std::ranges::find(reasons, reason) != reasons.end();
}

// Why a container that waits cannot begin, if so.
std::optional<PodVerdict::CannotStart> why_container_cannot_start(const ContainerView& container) {
  constexpr std::array<std::string_view, 2> kForGood{"InvalidImageName", "ErrImageNeverPull"};
  constexpr std::array<std::string_view, 6> kMayHeal{"ErrImagePull",      "ImagePullBackOff",
                                                     "ImageInspectError", "CreateContainerError",
                                                     "RunContainerError", "CreateContainerConfigError"};
  if (container.state != State::waiting) return std::nullopt;
  const bool for_good = is_one_of(container.reason, kForGood);
  if (!for_good && !is_one_of(container.reason, kMayHeal)) return std::nullopt;
  return PodVerdict::CannotStart{
      .message = words(container.reason, container.message), .at_once = for_good, .permanent = for_good};
}

PodVerdict pending(const PodView& pod, NodeContact contact) {
  if (pod.node.empty()) {
    const auto why = pod.unscheduled.empty() ? "waits for the cluster's scheduler" : pod.unscheduled;
    return {.report = remote::NotStarted{why}, .cannot_start = {}};
  }
  // What its kubelet has done since its last report is unknown.
  if (contact != NodeContact::good)
    return {.report = remote::OutOfSight{fmt::format("node {} does not report", pod.node)}, .cannot_start = {}};
  PodVerdict verdict{.report = remote::NotStarted{fmt::format("is being started on {}", pod.node)}, .cannot_start = {}};
  for (const auto* list : {&pod.setup, &pod.containers})
    for (const auto& container : *list) {
      if (container.state == State::waiting && !container.message.empty())
        verdict.report = remote::NotStarted{words(container.reason, container.message)};
      if (!verdict.cannot_start) verdict.cannot_start = why_container_cannot_start(container);
    }
  return verdict;
}

std::string of_pod(const PodView& pod) {
  auto text = words(pod.reason, pod.message);
  if (!pod.disruption.empty()) text = words(pod.disruption, text);
  return text;
}

std::optional<std::string> failed_setup(const PodView& pod) {
  for (const auto& container : pod.setup)
    if (container.state == State::terminated && container.exit_code.value_or(0) != 0)
      return fmt::format("{} ended with {}: {}", container.name, *container.exit_code,
                         words(container.reason, container.message));
  return std::nullopt;
}

// User code certainly never ran: the pod was never bound, its tools could not be copied, or its container still waited.
// A kubelet that evicts a pod, or refuses it after its own restart, may leave out the state of the containers.
std::optional<TaskExit> never_began(const PodView& pod) {
  const auto* container = task_container(pod);
  const bool waited = container && container->state == State::waiting;
  const auto failed = failed_setup(pod);
  if (!failed && !waited && !pod.node.empty()) return std::nullopt;
  auto message = failed.value_or(of_pod(pod));
  if (message.empty()) message = "the pod ended before it began";
  return TaskExit{.by = EndedBy::start_failed, .message = std::move(message)};
}

remote::Gone gone(const PodView& pod) {
  auto exit = exit_of(pod);
  if (!exit) exit = never_began(pod);
  // Versions without the number of tasks had such agents.
  return {.exit = std::move(exit), .message = of_pod(pod), .of_old_agent = !pod.says_tasks};
}

// As in a shell, the exit code is 128 plus the signal.
std::optional<std::int32_t> signal_of(const ContainerView& container) {
  constexpr std::int32_t kFirst = 128, kMost = 64;
  const auto code = container.exit_code.value_or(0);
  if (container.signal || code <= kFirst || code > kFirst + kMost) return container.signal;
  return code - kFirst;
}

// The pod garbage collector ends pods in the name of nodes that do not exist to confirm it.
bool is_hearsay(const PodView& pod) { return pod.disruption == "DeletionByPodGC" || pod.reason == "NodeLost"; }

}  // namespace

std::optional<TaskExit> exit_of(const PodView& pod) {
  const auto* container = task_container(pod);
  if (!container || container->state != State::terminated) return std::nullopt;
  // The kubelet reports this if it does not know.
  if (container->reason == "ContainerStatusUnknown")
    return TaskExit{
        .by = EndedBy::lost, .message = words(container->reason, of_pod(pod)), .at = container->finished_at};
  TaskExit exit{
      .by = EndedBy::exit, .exit_code = container->exit_code, .message = of_pod(pod), .at = container->finished_at};
  if (exit.message.empty()) exit.message = container->message;
  if (container->reason == "OOMKilled") exit.by = EndedBy::oom;
  else if (pod.reason == "DeadlineExceeded") exit.by = EndedBy::time_limit;
  else if (signal_of(*container)) exit.by = EndedBy::signal;
  else if (!container->exit_code) exit.by = EndedBy::lost;
  if (exit.by != EndedBy::signal) return exit;
  exit.signal = signal_of(*container);
  exit.exit_code.reset();
  if (exit.signal != SIGKILL) return exit;
  // The agent itself was killed: by the kubelet after the grace, or by an unknown process.
  return TaskExit{
      .by = EndedBy::lost, .message = words("its container was killed", of_pod(pod)), .at = container->finished_at};
}

PodVerdict judge_pod(const PodView& pod, NodeContact contact) {
  if (pod.is_over() && !is_hearsay(pod) && !any_runs(pod)) return {.report = gone(pod), .cannot_start = {}};
  if (pod.is_over() && is_hearsay(pod))
    return {.report = remote::OutOfSight{fmt::format("node {} went away: {}", pod.node, of_pod(pod))},
            .cannot_start = {}};
  if (pod.phase == "Pending") return pending(pod, contact);
  // If the only container has ended and is not restarted, the pod has ended.
  if (exit_of(pod) && !any_runs(pod)) return {.report = gone(pod), .cannot_start = {}};
  if (contact != NodeContact::good)
    return {.report = remote::OutOfSight{fmt::format("node {} does not report", pod.node)}, .cannot_start = {}};
  if (pod.phase == "Running" || pod.is_over()) return {.report = remote::Alive{pod.node}, .cannot_start = {}};
  return {.report = remote::OutOfSight{fmt::format("the cluster says \"{}\" of it", pod.phase)}, .cannot_start = {}};
}

std::string why_pending(const PodView& pod) {
  std::string text;
  for (const auto* list : {&pod.setup, &pod.containers})
    for (const auto& container : *list) {
      if (container.state != State::waiting) continue;
      if (!container.message.empty()) return words(container.reason, container.message);
      // The container of the task waits for that of the setup.
      if (text.empty()) text = container.reason;
    }
  if (text.empty()) text = pod.reason;
  return words(text, pod.message.empty() ? pod.unstarted : pod.message);
}

remote::Gone never_started(const PodVerdict::CannotStart& why) {
  return {.exit = TaskExit{.by = EndedBy::start_failed, .message = why.message, .permanent = why.permanent},
          .message = why.message};
}

std::optional<remote::Gone> judge_removed(const PodView& last) {
  if (last.node.empty()) {
    auto message = last.unscheduled.empty() ? "deleted before it was bound to a node" : last.unscheduled;
    return remote::Gone{.exit = TaskExit{.by = EndedBy::start_failed, .message = message}, .message = message};
  }
  if (is_hearsay(last) || any_runs(last)) return std::nullopt;
  if (last.is_over() || exit_of(last)) return gone(last);
  return std::nullopt;
}

}  // namespace ym::kubernetes
