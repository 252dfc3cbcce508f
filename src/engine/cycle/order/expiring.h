// Running jobs with a sure end: when they are gone, and what quota they give back.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/reserve/calendar.h"

namespace ym::engine {

struct Inputs;
struct Tried;

// What a job gives back of one flavor when it is gone. The job has a place, or a trial has granted it one.
struct Expiring {
  Minute gone = 0;
  JobId id;
  Slot slot = kNone;
  QueueIndex queue = kNone;
  FlavorIndex flavor = kNone;
  ResourceVector amounts;

  auto order() const { return std::pair(gone, id); }
};
// Adds one entry for each flavor of the job, which is gone at `gone`.
void add_expiring(const Inputs& in, Slot slot, Minute gone, std::vector<Expiring>& list);

// What jobs with a place from before the cycle and with a sure end give back: ordered by end, then by id. Each tree is
// searched once a cycle.
class ExpiringLists {
 public:
  explicit ExpiringLists(std::size_t queues) : by_root_(queues) {}
  const std::vector<Expiring>& of_tree(const Inputs& in, const Tried& tried, QueueIndex root);

 private:
  IndexedVector<QueueIndex, std::optional<std::vector<Expiring>>> by_root_;
};

}  // namespace ym::engine
