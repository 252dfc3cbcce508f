// What a command on access is decided by, and what it changes.
#pragma once

#include <optional>
#include <vector>

#include "control/access/access_cache.h"
#include "control/access/access_commands.h"
#include "control/access/denial_book.h"
#include "model/tables.h"

namespace ym {

struct AccessContext {
  const Tables& tables;
  AccessCache& cache;
  const Caller& caller;
  Instant now;

  // In a trial, too, bindings decide on what gives rights: it stays when the trial ends.
  Access access() const {
    auto access = cache.access_of(caller, tables, now);
    return by_bindings_alone(access).value_or(access);
  }
};

struct AccessChange {
  std::vector<EventPayload> events;
  std::optional<TokenReply> token{};
  std::optional<Binding> binding{};  // made or removed
};

}  // namespace ym
