#include "executor/kubernetes/pods/log_saver.h"

#include <utility>

namespace ym::kubernetes {
namespace {

constexpr int kMostFailures = 3;
constexpr Duration kPause = minutes(1);
constexpr Duration kRemembered = hours(1);

}  // namespace

LogSaver::LogSaver(KeptLogs& logs, ApiClient& client, const Clock& clock, int threads)
    : logs_(logs), client_(client), clock_(clock), pool_(threads) {}

void LogSaver::stop() { pool_.stop(); }

void LogSaver::save(Order order, std::function<void(bool)> done) {
  if (!is_to_be_read(order)) return done(false);
  const bool is_first = order.is_first;
  auto work = [this, order = std::move(order), done = std::move(done)] { done(is_to_be_read(order) && read(order)); };
  if (is_first) pool_.submit_first(std::move(work));
  else pool_.submit(std::move(work));
}

bool LogSaver::is_to_be_read(const Order& order) {
  const auto now = clock_.now();
  const std::lock_guard lock(mutex_);
  const auto failures = node_failures_.find(order.node);
  return now <= order.until && (failures == node_failures_.end() || failures->second.again <= now);
}

// Only results that say something about the node count: the log was read, the server could not read from the node, or
// it took too long.
bool LogSaver::read(const Order& order) {
  const auto saved = logs_.save(client_, order.pod, order.key.token.key(), order.key.task);
  const bool failed = !saved && saved.error().code == ErrorCode::unavailable && !saved.error().retryable;
  if (!order.node.empty() && (saved || failed)) learn(order.node, failed);
  return saved.has_value();
}

void LogSaver::learn(const std::string& node, bool failed) {
  const auto now = clock_.now();
  const std::lock_guard lock(mutex_);
  if (!failed) {
    node_failures_.erase(node);
    return;
  }
  std::erase_if(node_failures_, [now](const auto& each) { return each.second.again + kRemembered < now; });
  auto& of_node = node_failures_.try_emplace(node, NodeFailures{.again = now}).first->second;
  if (++of_node.failures >= kMostFailures) of_node.again = now + kPause;
}

}  // namespace ym::kubernetes
