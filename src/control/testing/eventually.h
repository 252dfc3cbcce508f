// Waits for another thread.
#pragma once

#include <chrono>
#include <thread>

namespace ym {

// Whether the condition comes true; it is not asked again after that. The deadline of 90 s only ends a test that has
// failed.
template <class Condition>
[[nodiscard]] bool eventually(Condition condition) {
  for (int i = 0; i < 18000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace ym
