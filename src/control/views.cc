#include "control/views.h"

#include <algorithm>

namespace ym {

const Attempt* JobView::attempt(std::int32_t number) const {
  const auto found = std::ranges::find(attempts, number, [](const Attempt& each) { return each.number; });
  return found == attempts.end() ? nullptr : &**found;
}

}  // namespace ym
