#include "model/queue_cycle.h"

namespace ym {

bool is_in_cycle(const std::map<std::string, Queue>& queues, const std::string& queue) {
  auto at = queues.find(queue);
  for (std::size_t steps = 0; at != queues.end() && steps <= queues.size(); ++steps) {
    if (at->second.parent == queue) return true;
    at = queues.find(at->second.parent);
  }
  return false;
}

}  // namespace ym
