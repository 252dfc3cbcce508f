// KubernetesExecutor: placeholder pods.
#include <spdlog/spdlog.h>

#include <utility>

#include "executor/kubernetes/executor_impl.h"

namespace ym::kubernetes {
namespace {

constexpr Duration kPlaceholderPause = seconds(2);  // so that refused requests are not repeated all the time
constexpr Duration kAllWanted = seconds(30);        // after the start: then control has made its provision() calls

}  // namespace

void ExecutorImpl::keep_placeholders() {
  const std::lock_guard lock(mutex_);
  const auto now = clock_.now();
  if (book_.is_replaced() || !own_listed_ || !nodes_listed_ || !placeholders_.any() ||
      now < placeholders_kept_ + kPlaceholderPause)
    return;
  placeholders_kept_ = now;
  auto work = placeholders_.pass(view_.whole(), now, now >= started_ + kAllWanted);
  for (const auto& words : work.said) spdlog::warn("{}: {}", options_.cluster, words);
  for (auto& one : work.create)
    pool_.submit(
        [this, pod = std::move(one)] { placeholder_created(pod.first, make_placeholder(pod.first, pod.second)); });
  for (auto& one : work.remove)
    pool_.submit([this, pod = std::move(one)] {
      (void)client_.remove(pod_target(options_.name_space, pod.first), pod.second, {});
      const std::lock_guard again(mutex_);
      placeholders_.tried(pod.first);
    });
}

// Returns its uid. An existing pod of this server counts too: it was made before, and the answer was lost, or no watch
// has shown it yet.
Api<std::string> ExecutorImpl::make_placeholder(const std::string& name, const json::value& body) {
  const auto made = client_.create(pods_target(options_.name_space), body);
  if (made) return text_at(*made, "/metadata/uid");
  if (made.error().kind != ApiError::Kind::already_exists) return std::unexpected(made.error());
  const auto there = client_.get(pod_target(options_.name_space, name));
  if (!there) return std::unexpected(there.error());
  const auto pod = read_pod(*there);
  if (!pod || !is_placeholder(*pod, options_.pod.instance)) return std::unexpected(made.error());
  return pod->meta.uid;
}

// A failed creation is wanted again later.
void ExecutorImpl::placeholder_created(const std::string& name, const Api<std::string>& uid) {
  const std::lock_guard lock(mutex_);
  const auto words = placeholders_.created(name, uid, clock_.now());
  if (!words.empty()) spdlog::warn("{}: {}", options_.cluster, words);
}

ObservationSink ExecutorImpl::with_ends_noted(ObservationSink sink) {
  return [this, sink = std::move(sink)](Observation observation) {
    if (const auto* end = std::get_if<TaskHasEnded>(&observation.what))
      with_book([&](PodBook& book) { return book.ended({observation.token, end->task}); });
    sink(std::move(observation));
  };
}

}  // namespace ym::kubernetes
