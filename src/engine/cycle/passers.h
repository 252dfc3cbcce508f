// Who was admitted while a job waited and is gone again some day: by when.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/reserve/calendar.h"

namespace ym::engine {

struct Cycle;

// A job with a place, or with what a trial has granted it.
struct Passer {
  Minute gone = 0;
  JobId id;
  Instant admitted_at;
  Index slot = kNone, queue = kNone;
  Charged charged;

  auto order() const { return std::pair(gone, id); }
};

// Those whose end is sure and who had their place before the cycle, in the order of their ends, then by id: found
// once a cycle for each tree.
class PasserLists {
 public:
  explicit PasserLists(std::size_t queues) : by_root_(queues) {}
  const std::vector<Passer>& of_tree(const Cycle& cycle, Index root);

 private:
  std::vector<std::optional<std::vector<Passer>>> by_root_;
};

}  // namespace ym::engine
