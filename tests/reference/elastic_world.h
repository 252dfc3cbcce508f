// Small random worlds with flavors of which nodes can be made, and what happens in them.
#pragma once

#include <iterator>
#include <string>

#include "base/random.h"
#include "scenario/language/world.h"

namespace ym::reference {

class ElasticWorld {
 public:
  // `whole`: no quotas, and every task takes a whole node, so that all that was counted on finds room.
  enum class Kind : std::uint8_t { any, whole };
  ElasticWorld(std::uint64_t seed, Kind kind);

  testing::World& world() { return world_; }
  const Tables& tables() const { return world_.tables(); }
  Random& random() { return random_; }
  // Jobs come and end, who was to leave leaves, nodes that were asked for come and idle ones go, settings change.
  void step(Instant now);
  // All nodes come that are still missing.
  void receive_all();
  // Nobody waits any more.
  void withdraw_all();

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }

  void set_flavor(const std::string& name);
  void set_queue(const std::string& name);
  void submit(Instant now);
  void change_jobs();
  void change_nodes();
  void receive(const Flavor& flavor);
  std::int64_t there(const Flavor& flavor) const;
  bool is_used(const std::string& node) const;

  Random random_;
  Kind kind_;
  testing::World world_;
  std::int64_t last_node_ = 0;
};

}  // namespace ym::reference
