// Assertions that stay on in every build.
//
// A failed YM_ASSERT is a programmer error: the process stops at once, before a
// wrong state can be committed. Expected failures use Result<T> instead.
#pragma once

namespace ym {

// Prints the expression and its place to standard error and aborts.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line) noexcept;

}  // namespace ym

#define YM_ASSERT(expression) \
  (static_cast<bool>(expression) ? void(0) : ::ym::assertion_failed(#expression, __FILE__, __LINE__))
