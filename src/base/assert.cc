#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace ym {

void assertion_failed(const char* expression, const char* file, int line) noexcept {
  std::fprintf(stderr, "yardmaster: assertion failed: %s (%s:%d)\n", expression, file, line);
  std::abort();
}

}  // namespace ym
