#include "executor/prefixed/prefixed_executor.h"

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
    std::vector<LiveAttempt> theirs(live.begin(), live.end());
    for (auto& attempt : theirs) {
      const auto kept = names_of_before(attempt);
      attempt.request = in_their_names(std::move(attempt.request), kept);
    }
    return behind().start([this, sink = std::move(sink)](Observation seen) { sink(in_our_names(std::move(seen))); },
                          theirs);
  }

  Result<std::vector<LostLaunch>> lost_launches() override {
    auto lost = behind().lost_launches();
    if (!lost) return lost;
    for (auto& launch : *lost)
      for (auto& placed : launch.placement) placed.node = prefix_ + placed.node;
    return lost;
  }

  Result<std::vector<Node>> inventory() override {
    auto nodes = behind().inventory();
    if (nodes) rename(*nodes);
    return nodes;
  }

  void launch(LaunchRequest request) override { behind().launch(in_their_names(std::move(request), {})); }

 private:
  using Names = std::set<std::string>;

  // Attempts from before the prefix have the cluster's own node names, and such a name may begin with the prefix too.
  // If so, the claim of the task contains it. The cluster, which may be away, is not asked.
  static Names names_of_before(const LiveAttempt& attempt) {
    Names names;
    for (const auto& placed : attempt.request.placement) {
      const auto task = static_cast<std::size_t>(placed.task);
      if (task >= attempt.tasks.size() || !attempt.tasks[task].claim) continue;
      if (attempt.tasks[task].claim->node == placed.node) names.insert(placed.node);
    }
    return names;
  }

  std::string in_their_name(std::string name, const Names& kept) const {
    return name.starts_with(prefix_) && !kept.contains(name) ? name.substr(prefix_.size()) : name;
  }

  void rename(std::vector<Node>& nodes) const {
    for (auto& node : nodes) node.name = prefix_ + node.name;
  }

  LaunchRequest in_their_names(LaunchRequest request, const Names& kept) const {
    for (auto& placed : request.placement) placed.node = in_their_name(std::move(placed.node), kept);
    for (auto& node : request.nodes) node.name = in_their_name(std::move(node.name), kept);
    return request;
  }

  Observation in_our_names(Observation seen) const {
    if (auto* nodes = std::get_if<NodesAreSeen>(&seen.what)) {
      rename(nodes->nodes);
    } else if (auto* devices = std::get_if<DevicesAreUnhealthy>(&seen.what)) {
      devices->node = prefix_ + devices->node;
    }
    return seen;
  }

  const std::string prefix_;
};

}  // namespace

std::unique_ptr<Executor> with_node_prefix(std::unique_ptr<Executor> executor, std::string prefix) {
  YM_ASSERT(executor && !prefix.empty());
  return std::make_unique<PrefixedExecutor>(std::move(executor), std::move(prefix));
}

}  // namespace ym
