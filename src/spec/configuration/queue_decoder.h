// Reads `queues:` as a list of the tree, parents before children.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "model/queue.h"
#include "spec/text/field.h"

namespace ym::spec {

// A flavor in a queue's quota, for checks against the list of flavors.
struct FlavorUse {
  std::string flavor;
  Field where;
};

struct QueueList {
  std::vector<Queue> queues;
  std::vector<std::string> pointers;  // pointer of each queue
  std::vector<FlavorUse> flavors;
  std::set<std::string> says_stop;  // names of queues that set `stop`
};

// whole_tree: the queues of the configuration file. part: the queues of a change; each may name its parent.
enum class QueuesRead : std::uint8_t { whole_tree, part };
QueueList read_queues(const Field& field, QueuesRead what);

}  // namespace ym::spec
