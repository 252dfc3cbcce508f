// Waits for another thread.
#pragma once

#include <chrono>
#include <thread>

namespace ym {

// Whether the condition comes true. The deadline of 90 s only ends a test that has failed.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition) {
  for (int i = 0; i < 18000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

}  // namespace ym
