// Assertions that stay on in every build.
//
// A failed YM_ASSERT is a programmer error. The process stops at once, before it can commit a wrong state. Expected
// failures use Result<T> instead.
#pragma once

namespace ym {

// Prints the expression and its place in the source to standard error, and aborts.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line) noexcept;

}  // namespace ym

#define YM_ASSERT(expression) \
  (static_cast<bool>(expression) ? void(0) : ::ym::assertion_failed(#expression, __FILE__, __LINE__))
