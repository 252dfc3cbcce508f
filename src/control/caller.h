// Caller: who asks, as authentication found out. A value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/ids.h"

namespace ym {

// The role of user code of an attempt.
inline constexpr std::string_view kJobRole = "job";
// The role of the server itself. No token has it.
inline constexpr std::string_view kServerRole = "server";

struct Caller {
  std::string principal;
  std::string role;                     // "admin", "user", "viewer", "job" or "server"
  std::optional<AttemptKey> attempt{};  // "job" only: it may speak of this one, and of nothing else

  // The server, where it reads for itself: for its metrics, to check a command. It is no principal.
  static Caller server() { return {.principal = {}, .role = std::string(kServerRole)}; }
};

}  // namespace ym
