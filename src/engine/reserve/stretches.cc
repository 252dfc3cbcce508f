#include "engine/reserve/stretches.h"

#include <algorithm>
#include <bit>

namespace ym::engine {

Stretches::OfTask& Stretches::of(const NodeNeed& task) {
  const auto own = std::ranges::find(tasks_, task, &OfTask::task);
  return own == tasks_.end() ? tasks_.emplace_back(task) : *own;
}

// What is promised of a node grows one by one: twice the room each time is little lost.
void Stretches::OfTask::keep_found(Known& known) {
  known.size = found_.size();
  if (known.size > known.room) {
    known.begin = all_.size();
    known.room = std::bit_ceil(known.size);
    all_.resize(known.begin + known.room);
  }
  std::ranges::copy(found_, all_.begin() + static_cast<std::ptrdiff_t>(known.begin));
}

}  // namespace ym::engine
