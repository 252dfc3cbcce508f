// Results without which a test cannot go on.
#pragma once

#include <stdexcept>
#include <utility>

#include "base/result.h"

namespace ym::testing {

// The value. If there is none, the test fails and stops.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error("refused: " + result.error().message);
  return std::move(*result);
}
inline void must(Result<void> result) {
  if (!result) throw std::runtime_error("refused: " + result.error().message);
}

}  // namespace ym::testing
