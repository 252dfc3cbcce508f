#include "executor/prefixed/prefixed_executor.h"

#include <utility>

#include "base/assert.h"

namespace ym {
namespace {

class PrefixedExecutor final : public Executor {
 public:
  PrefixedExecutor(std::unique_ptr<Executor> executor, std::string prefix)
      : executor_(std::move(executor)), prefix_(std::move(prefix)) {}

  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override {
    std::vector<LiveAttempt> theirs(live.begin(), live.end());
    for (auto& attempt : theirs) attempt.request = in_their_names(std::move(attempt.request));
    return executor_->start([this, sink = std::move(sink)](Observation seen) { sink(in_our_names(std::move(seen))); },
                            theirs);
  }

  Result<std::vector<Node>> inventory() override {
    auto nodes = executor_->inventory();
    if (nodes)
      for (auto& node : *nodes) node.name = prefix_ + node.name;
    return nodes;
  }

  void launch(LaunchRequest request) override { executor_->launch(in_their_names(std::move(request))); }
  TaskLink* task_link() override { return executor_->task_link(); }
  void open_gate(const Token& token, std::span<const TaskClaim> claims) override {
    executor_->open_gate(token, claims);
  }
  void stop(const Token& token, StopRequest request) override { executor_->stop(token, std::move(request)); }
  void deliver(const Token& token, const Secret& job_token) override { executor_->deliver(token, job_token); }
  Result<LogChunk> read_log(const LogQuery& query) override { return executor_->read_log(query); }
  void release(const Token& token) override { executor_->release(token); }
  void provision(const Flavor& flavor) override { executor_->provision(flavor); }
  std::map<std::string, std::string> enforcement() const override { return executor_->enforcement(); }

 private:
  // A name without it is of a node that it had before it was given the prefix.
  std::string without_prefix(std::string name) const {
    return name.starts_with(prefix_) ? name.substr(prefix_.size()) : std::move(name);
  }

  LaunchRequest in_their_names(LaunchRequest request) const {
    for (auto& placed : request.placement) placed.node = without_prefix(std::move(placed.node));
    for (auto& node : request.nodes) node.name = without_prefix(std::move(node.name));
    return request;
  }

  Observation in_our_names(Observation seen) const {
    if (auto* nodes = std::get_if<NodesAreSeen>(&seen.what)) {
      for (auto& node : nodes->nodes) node.name = prefix_ + node.name;
    } else if (auto* devices = std::get_if<DevicesAreUnhealthy>(&seen.what)) {
      devices->node = prefix_ + devices->node;
    }
    return seen;
  }

  const std::unique_ptr<Executor> executor_;
  const std::string prefix_;
};

}  // namespace

std::unique_ptr<Executor> with_node_prefix(std::unique_ptr<Executor> executor, std::string prefix) {
  YM_ASSERT(executor && !prefix.empty());
  return std::make_unique<PrefixedExecutor>(std::move(executor), std::move(prefix));
}

}  // namespace ym
