// Caller: the principal or job that makes a request, as authentication found it. A value.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/ids.h"

namespace ym {

// The role of an attempt's user code.
inline constexpr std::string_view kJobRole = "job";
// The role of the server itself. No token has it.
inline constexpr std::string_view kServerRole = "server";

struct Caller {
  std::string principal;
  std::string role;                     // "admin", "user", "viewer", "job" or "server"
  std::optional<AttemptKey> attempt{};  // "job" only: the one attempt that it may read and report on

  // The server itself, when it reads its own state: for its metrics, or to check a command. It is no principal.
  static Caller server() { return {.principal = {}, .role = std::string(kServerRole)}; }
};

}  // namespace ym
