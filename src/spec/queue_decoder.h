// `queues:` -> the tree as a list, parents before children.
#pragma once

#include <vector>

#include "model/queue.h"
#include "spec/field.h"

namespace ym::spec {

// Where a queue's quota names a flavor, for checks that need the list of flavors.
struct FlavorUse {
  std::string flavor;
  Field where;
};

struct QueueList {
  std::vector<Queue> queues;
  std::vector<std::string> pointers;  // of each of them
  std::vector<FlavorUse> flavors;
};

QueueList read_queues(const Field& field);

}  // namespace ym::spec
