// What a command on access is decided by, and what it changes.
#pragma once

#include <optional>
#include <vector>

#include "control/access/access_cache.h"
#include "control/access/access_commands.h"
#include "model/tables.h"

namespace ym {

struct AccessContext {
  const Tables& tables;
  AccessCache& cache;
  const Caller& caller;
  Instant now;

  Access access() const { return cache.access_of(caller, tables, now); }
};

struct AccessChange {
  std::vector<EventPayload> events;
  std::optional<TokenReply> token{};
  std::optional<Binding> binding{};  // made or removed
};

}  // namespace ym
