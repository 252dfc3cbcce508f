// A standby server: it watches the leader and leads when there is none.
//
// It takes over `place.lease` after the leader's last renewal. The leader renews three times as often. While the
// database is away, no server can renew. After that the leader has one whole lease to come back.
//
// Threads: one thread calls wait_to_lead; any thread may call the rest.
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

  // Returns the store when this server leads, or null after a stop request.
  // Errors that make further waiting useless: `corrupt`, `io`, `conflict` (a newer version wrote the state).
  Result<std::unique_ptr<Store>> wait_to_lead(const std::stop_token& stop);

  struct Seen {
    std::optional<PostgresLeader> leader;  // at the last answered look; nothing before the first
    std::string problem;                   // why the last look got no answer; empty if it got one
  };
  Seen seen() const;

  // Reads committed history. Errors: as for open_postgres_history.
  Result<std::unique_ptr<StoreReader>> reader() const { return open_postgres_history(options_.place); }

 private:
  class Watch;
  void note(const Result<PostgresLeader>& looked);

  const Options options_;
  mutable std::mutex mutex_;
  Seen seen_;
};

}  // namespace ym
