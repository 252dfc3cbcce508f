// `queues:` -> the tree as a list, parents before children.
#pragma once

#include <set>
#include <string>
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
  std::set<std::string> says_stop;  // the names of those whose policy says `stop`
};

QueueList read_queues(const Field& field);

}  // namespace ym::spec
