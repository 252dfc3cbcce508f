// SimulatedCapacity: an autoscaler that nobody pays for. It makes nodes that are asked for, and takes them away when
// they are idle. It has no thread and reads no clock.
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
  // The nodes that are there whoever asks for what.
  explicit SimulatedCapacity(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}
  // They are others now.
  void set_nodes(std::vector<Node> nodes);

  // As Executor has it. A node is there when the flavor's provisioning time is over; one that is not wanted any more
  // before that never comes.
  void provision(const Flavor& flavor, Instant now);
  // What has come and gone by now. `is_used`: whether something runs on the node. Nothing: it is as it was.
  std::optional<std::vector<Node>> pass(Instant now, const std::function<bool(const std::string& node)>& is_used);
  // When it is to be looked at next; nothing: it is all as it is to be.
  std::optional<Instant> next() const;
  std::vector<Node> nodes() const;

 private:
  struct Pool {
    Flavor flavor;
    std::vector<Instant> coming;          // when each will be there, in order
    std::map<std::string, Instant> made;  // by name: since when it is idle
    std::int64_t numbers = 0;             // of names that were used
  };
  std::int64_t present(const Pool& pool) const;

  std::vector<Node> nodes_;
  std::map<std::string, Pool> pools_;  // by flavor
  bool told_ = true;
};

}  // namespace ym
