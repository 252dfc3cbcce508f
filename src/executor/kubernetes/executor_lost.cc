// KubernetesExecutor: lost launches.
#include <utility>

#include "executor/kubernetes/executor_impl.h"
#include "executor/kubernetes/pods/lost_pods.h"

namespace ym::kubernetes {

void ExecutorImpl::know_lost(IsLost is_lost) {
  lost_.know(is_lost);
  desk_.know_lost(std::move(is_lost));
  const std::lock_guard lock(mutex_);
  book_.know_lost([this](const Token& token) { return lost_.known(token); });
}

// Asks without holding `mutex_`.
void ExecutorImpl::ask_whether_lost(const PodView& pod) {
  std::optional<Token> stranger;
  {
    const std::lock_guard lock(mutex_);
    stranger = book_.active_stranger(pod);
  }
  if (stranger) static_cast<void>(lost_.is_lost(*stranger, clock_.now()));
}

Result<std::vector<LostLaunch>> ExecutorImpl::lost_launches() {
  ApiWatchSource source(client_, pods_target(options_.name_space), own_selector(options_.pod.instance));
  std::vector<ListedPod> pods;
  std::string next;
  do {
    const auto page = source.page(next);
    if (!page) return fail(ErrorCode::unavailable, page.error().message);
    for (const auto& item : list_at(*page, "/items"))
      if (auto pod = read_pod(item)) pods.push_back({std::move(*pod), tasks_of_attempt(item)});
    next = text_at(*page, "/metadata/continue");
  } while (!next.empty());
  return lost_among(pods, options_.pod.instance,
                    [this](const Token& token) { return lost_.is_lost(token, clock_.now()); });
}

}  // namespace ym::kubernetes
