// KubernetesExecutor: logs of pods that go away. No writer thread waits for one.
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>

#include "executor/kubernetes/executor_impl.h"

namespace ym::kubernetes {

LogSaver::Order ExecutorImpl::order_of(const PodKey& key, const std::string& node, Duration wait) const {
  return {
      .key = key, .pod = pod_target(options_.name_space, pod_name(key)), .node = node, .until = clock_.now() + wait};
}

void ExecutorImpl::save_log(const LogToSave& log) {
  saver_.save(order_of(log.key, log.node, options_.log_wait), [this, log](bool saved) {
    if (!saved || !log.whole) return;
    const std::lock_guard lock(mutex_);
    book_.log_saved(log.key);
  });
}

void ExecutorImpl::take_away(const Removal& removal) {
  if (removal.keep_log && logs_.keeps()) return remove_when_read(removal);
  pool_.submit([this, removal] { remove_pod(removal); });
}

// A log that cannot be read, or not in time, does not delay the removal of its pod.
void ExecutorImpl::remove_when_read(const Removal& removal) {
  const auto wait = removal.is_kill ? options_.kill_log_wait : options_.log_wait;
  const auto gone_on = std::make_shared<std::atomic_bool>(false);
  const auto go_on = [this, removal, gone_on] {
    if (!gone_on->exchange(true)) remove_pod(removal);
  };
  auto order = order_of(removal.key, removal.node, wait);
  order.is_first = removal.is_kill;
  saver_.save(std::move(order), [this, go_on](bool) { pool_.submit(go_on); });
  pool_.submit(go_on, wait);
}

void ExecutorImpl::sweep_logs() {
  std::set<AttemptKey> live;
  for (const auto& token : desk_.live()) live.insert(token.key());
  if (const auto gone = logs_.sweep(options_.log_retention, live, clock_.now()); gone > 0)
    spdlog::info("{}: the logs of {} attempts were removed by retention", options_.cluster, gone);
  pool_.submit([this] { sweep_logs(); }, options_.log_retention.every);
}

}  // namespace ym::kubernetes
