// Jobs that run and whose end is sure: by when they are gone, and what quota they have.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/reserve/calendar.h"

namespace ym::engine {

struct Cycle;
struct Inputs;

// What a job gives back of a flavor when it goes: one with a place, or with what a trial has granted it.
struct Expiring {
  Minute gone = 0;
  JobId id;
  Slot slot = kNone;
  QueueIndex queue = kNone;
  FlavorIndex flavor = kNone;
  ResourceVector amounts;

  auto order() const { return std::pair(gone, id); }
};
// One for each of the flavors of the job, which is gone then.
void add_expiring(const Inputs& in, Slot slot, Minute gone, std::vector<Expiring>& list);

// What jobs give back that had their place before the cycle and end for sure. The order is that of their ends, then by
// id. Each tree is looked at once a cycle.
class ExpiringLists {
 public:
  explicit ExpiringLists(std::size_t queues) : by_root_(queues) {}
  const std::vector<Expiring>& of_tree(const Cycle& cycle, QueueIndex root);

 private:
  IndexedVector<QueueIndex, std::optional<std::vector<Expiring>>> by_root_;
};

}  // namespace ym::engine
