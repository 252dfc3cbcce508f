#include "executor/local/attempt/signals.h"

#include <csignal>
#include <cstring>

namespace ym::local {

std::optional<int> parse_signal(std::string_view name) {
  if (name.starts_with("SIG")) name.remove_prefix(3);
  for (int signal = 1; signal < 32; ++signal) {
    const char* known = ::sigabbrev_np(signal);
    if (known && name == known) return signal;
  }
  return std::nullopt;
}

std::string signal_name(int signal) {
  const char* known = ::sigabbrev_np(signal);
  return known ? "SIG" + std::string(known) : "signal " + std::to_string(signal);
}

}  // namespace ym::local
