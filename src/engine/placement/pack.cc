// Pack: the node with the largest part in use; of GPUs, or of CPUs if it has no GPUs. Between equals best fit decides.
// On nodes of one size it is best fit; else it empties the large ones first, for jobs that need much on one node.
#include "engine/placement/score.h"

namespace ym::engine {

std::int64_t pack_score(const NodeRoom& size, const NodeRoom& free) {
  if (size.devices > 0) return free.gpus() / size.devices;
  return size.cpus > 0 ? free.cpus * kMilli / size.cpus : 0;
}

}  // namespace ym::engine
