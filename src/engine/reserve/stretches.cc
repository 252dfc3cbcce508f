#include "engine/reserve/stretches.h"

#include <algorithm>

namespace ym::engine {

Stretches::OfTask& Stretches::of(const NodeNeed& task) {
  const auto own = std::ranges::find(tasks_, task, &OfTask::task);
  return own == tasks_.end() ? tasks_.emplace_back(task) : *own;
}

}  // namespace ym::engine
