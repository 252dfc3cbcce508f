// What must hold for every input. If it does not, the target stops.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace ym::fuzz {

inline void must(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace ym::fuzz
