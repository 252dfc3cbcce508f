// KubernetesExecutor: what it keeps besides attempts: placeholders, and logs.
#include <spdlog/spdlog.h>

#include <utility>

#include "executor/kubernetes/executor_impl.h"

namespace ym::kubernetes {
namespace {

constexpr Duration kPlaceholderPause = seconds(2);  // so that what is refused is not asked for all the time
constexpr Duration kAllWanted = seconds(30);        // after the start: by then control has said what it wants

}  // namespace

void ExecutorImpl::keep_placeholders() {
  const std::lock_guard lock(mutex_);
  const auto now = clock_.now();
  if (!own_listed_ || !nodes_listed_ || !placeholders_.any() || now < placeholders_kept_ + kPlaceholderPause) return;
  placeholders_kept_ = now;
  auto work = placeholders_.pass(view_.whole(), now, now >= started_ + kAllWanted);
  for (const auto& words : work.said) spdlog::warn("{}: {}", options_.cluster, words);
  for (auto& one : work.create)
    pool_.submit([this, pod = std::move(one)] {
      const auto made = client_.create(pods_target(options_.name_space), pod.second);
      placeholder_created(pod.first, made ? Api<void>() : std::unexpected(made.error()));
    });
  for (auto& one : work.remove)
    pool_.submit([this, pod = std::move(one)] {
      (void)client_.remove(pod_target(options_.name_space, pod.first), pod.second, {});
      const std::lock_guard again(mutex_);
      placeholders_.tried(pod.first);
    });
}

// What fails is wanted again later.
void ExecutorImpl::placeholder_created(const std::string& name, const Api<void>& done) {
  const std::lock_guard lock(mutex_);
  const auto words = placeholders_.created(name, done, clock_.now());
  if (!words.empty()) spdlog::warn("{}: {}", options_.cluster, words);
}

void ExecutorImpl::sweep_logs() {
  std::set<AttemptKey> live;
  for (const auto& token : desk_.live()) live.insert(token.key());
  if (const auto gone = logs_.sweep(options_.log_retention, live, clock_.now()); gone > 0)
    spdlog::info("{}: the logs of {} attempts were removed by retention", options_.cluster, gone);
  pool_.submit([this] { sweep_logs(); }, options_.log_retention.every);
}

ObservationSink ExecutorImpl::with_ends_noted(ObservationSink sink) {
  return [this, sink = std::move(sink)](Observation observation) {
    if (const auto* end = std::get_if<TaskHasEnded>(&observation.what))
      with_book([&](PodBook& book) { return book.ended({observation.token, end->task}); });
    sink(std::move(observation));
  };
}

}  // namespace ym::kubernetes
