// A server that stands by: watches who leads, and leads when nobody does.
//
// It takes over `place.lease` after the leader's last sign of life, and the leader renews three
// times as often. Where the database itself was away, nobody could renew: then the leader first has
// a whole lease of time to be back.
//
// Threads: one calls wait_to_lead; the rest may be called from any.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "store/postgres/postgres_store.h"

namespace ym {

class Standby {
 public:
  struct Options {
    PostgresOptions place;
    std::chrono::milliseconds poll{500};
  };
  explicit Standby(Options options) : options_(std::move(options)) {}

  // Returns the store when this server leads; null when it is to stop.
  // Errors: what makes it useless to go on waiting: `corrupt`, `io`, `conflict` (a newer version
  // wrote the state).
  Result<std::unique_ptr<Store>> wait_to_lead(const std::stop_token& stop);

  struct Seen {
    std::optional<PostgresLeader> leader;  // at the last look that was answered; nothing before the first
    std::string trouble;                   // why the last look was not answered; empty if it was
  };
  Seen seen() const;

  // What is committed. Errors: as of open_postgres_history.
  Result<std::unique_ptr<StoreReader>> reader() const { return open_postgres_history(options_.place); }

 private:
  class Watch;
  void note(const Result<PostgresLeader>& looked);

  const Options options_;
  mutable std::mutex mutex_;
  Seen seen_;
};

}  // namespace ym
