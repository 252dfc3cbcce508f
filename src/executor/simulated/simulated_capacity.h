// SimulatedCapacity: a simulated autoscaler. It makes requested nodes, and removes idle ones. It has no thread and
// reads no clock.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "model/cluster.h"

namespace ym {

class SimulatedCapacity {
 public:
  // `nodes` exist without a request.
  explicit SimulatedCapacity(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}
  // Replaces these nodes.
  void set_nodes(std::vector<Node> nodes);

  // As Executor::provision(). A node exists after the provisioning time of its flavor. If it is no longer wanted
  // before, it never comes.
  void provision(const Flavor& flavor, Instant now);
  // The nodes after all changes up to now. `is_used`: whether a job runs on the node. Empty: nothing has changed.
  std::optional<std::vector<Node>> pass(Instant now, const std::function<bool(const std::string& node)>& is_used);
  // When pass() is due next. Empty: no change is pending.
  std::optional<Instant> next() const;
  std::vector<Node> nodes() const;

 private:
  struct Pool {
    Flavor flavor;
    std::vector<Instant> coming;          // when each will exist, in order
    std::map<std::string, Instant> made;  // by name: idle since
    std::int64_t numbers = 0;             // of names already used
  };
  std::int64_t present(const Pool& pool) const;

  std::vector<Node> nodes_;
  std::map<std::string, Pool> pools_;  // by flavor
  bool told_ = true;
};

}  // namespace ym
