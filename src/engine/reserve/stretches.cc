#include "engine/reserve/stretches.h"

#include <algorithm>

namespace ym::engine {

Stretches::Known& Stretches::known_of(const NodeNeed& task, std::size_t place) {
  auto own = std::ranges::find(tasks_, task, &OfTask::task);
  if (own == tasks_.end()) own = tasks_.insert(own, OfTask{.task = task, .known = {}});
  if (own->known.size() <= place) own->known.resize(place + 1);
  return own->known[place];
}

}  // namespace ym::engine
