#include "executor/prefixed/prefixed_executor.h"

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "executor/forwarding_executor.h"

namespace ym {
namespace {

class PrefixedExecutor final : public ForwardingExecutor {
 public:
  PrefixedExecutor(std::unique_ptr<Executor> executor, std::string prefix)
      : ForwardingExecutor(std::move(executor)), prefix_(std::move(prefix)) {}

  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override {
    // Which names its nodes have, so that those of before are told from ours. If it does not say, all are ours.
    if (!live.empty()) (void)inventory();
    std::vector<LiveAttempt> theirs(live.begin(), live.end());
    for (auto& attempt : theirs) attempt.request = in_their_names(std::move(attempt.request));
    return behind().start([this, sink = std::move(sink)](Observation seen) { sink(in_our_names(std::move(seen))); },
                          theirs);
  }

  Result<std::vector<Node>> inventory() override {
    auto nodes = behind().inventory();
    if (nodes) rename(*nodes);
    return nodes;
  }

  void launch(LaunchRequest request) override { behind().launch(in_their_names(std::move(request))); }

 private:
  // What runs since before there was the prefix has the cluster's own names, and one of these may begin with it too.
  // Where a node has such a name and another would have it with the prefix, the other is meant: so it is called now.
  std::string in_their_name(std::string name) const {
    if (!name.starts_with(prefix_)) return name;
    std::string rest = name.substr(prefix_.size());
    const std::lock_guard lock(mutex_);
    return own_names_.contains(name) && !own_names_.contains(rest) ? name : rest;
  }

  void rename(std::vector<Node>& nodes) {
    std::set<std::string> own_names;
    for (auto& node : nodes) {
      own_names.insert(node.name);
      node.name = prefix_ + node.name;
    }
    const std::lock_guard lock(mutex_);
    own_names_ = std::move(own_names);
  }

  LaunchRequest in_their_names(LaunchRequest request) const {
    for (auto& placed : request.placement) placed.node = in_their_name(std::move(placed.node));
    for (auto& node : request.nodes) node.name = in_their_name(std::move(node.name));
    return request;
  }

  Observation in_our_names(Observation seen) {
    if (auto* nodes = std::get_if<NodesAreSeen>(&seen.what)) {
      rename(nodes->nodes);
    } else if (auto* devices = std::get_if<DevicesAreUnhealthy>(&seen.what)) {
      devices->node = prefix_ + devices->node;
    }
    return seen;
  }

  const std::string prefix_;
  mutable std::mutex mutex_;
  std::set<std::string> own_names_;  // of the nodes that it has, as far as it was asked or said so; under mutex_
};

}  // namespace

std::unique_ptr<Executor> with_node_prefix(std::unique_ptr<Executor> executor, std::string prefix) {
  YM_ASSERT(executor && !prefix.empty());
  return std::make_unique<PrefixedExecutor>(std::move(executor), std::move(prefix));
}

}  // namespace ym
