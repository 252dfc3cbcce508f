// Small random worlds with elastic flavors, and events in them.
#pragma once

#include <iterator>
#include <set>
#include <string>

#include "base/random.h"
#include "scenario/language/world.h"

namespace ym::reference {

class ElasticWorld {
 public:
  // `whole`: no quotas, and every task takes a whole node, so that every counted job finds room. `varied`: every task
  // takes a whole node too, with quotas, topology levels, groups, several GPU types, and nodes that not every job can
  // use.
  enum class Kind : std::uint8_t { any, whole, varied };
  ElasticWorld(std::uint64_t seed, Kind kind);

  testing::World& world() { return world_; }
  const Tables& tables() const { return world_.tables(); }
  Random& random() { return random_; }
  // Jobs arrive and end, stopping jobs leave, wanted nodes arrive and idle ones go, settings change.
  void step(Instant now);
  // All missing nodes arrive.
  void receive_all();
  // One missing node arrives, if there is one.
  bool receive_one();
  // The cluster's manager removes idle nodes beyond the wanted number.
  void take_back();
  // All running jobs end.
  void end_all();
  // All waiting jobs are withdrawn.
  void withdraw_all();

 private:
  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  bool one_in(std::int64_t n) { return below(n) == 0; }

  void set_flavor(const std::string& name);
  void set_queue(const std::string& name);
  void submit(Instant now);
  void vary(JobSpec& spec);
  void set_other_nodes();
  void change_jobs();
  void change_nodes();
  void receive(const Flavor& flavor);
  std::int64_t there(const Flavor& flavor) const;
  bool is_used(const std::string& node) const;
  bool may_go(const std::string& node) const { return !is_used(node) && !permanent_.contains(node); }

  Random random_;
  Kind kind_;
  testing::World world_;
  std::int64_t last_node_ = 0;
  std::set<std::string> permanent_;  // nodes
};

}  // namespace ym::reference
