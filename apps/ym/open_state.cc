#include "open_state.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "look_at_copy.h"
#include "stand_by.h"
#include "start_files.h"
#include "store/postgres/postgres_store.h"
#include "store/sqlite/sqlite_store.h"

namespace ym {
namespace {

[[noreturn]] void end_replaced(const Error& error) {
  spdlog::critical("{}; this server ends", error.message);
  spdlog::shutdown();
  std::_Exit(1);
}

PostgresOptions place_of(const Running& running, const ServeOptions& options) {
  return {.conninfo = options.store,
          .schema = options.store_schema,
          .initialise = options.init,
          .take_over = options.take_over,
          .url = url_remote(running, options),
          .lease = std::chrono::seconds(8),
          .stop = running.stop.get_token(),
          .on_replaced = end_replaced,
          .warn = [](std::string_view warning) { spdlog::warn("{}", warning); }};
}

// Attempts of this machine stay here when another server leads.
void warn_of_local_clusters(const Configuration& configuration) {
  for (const auto& one : configuration.clusters)
    if (one.cluster.executor == "local")
      spdlog::warn("cluster '{}' is this machine: its jobs are out of contact while a server on another machine leads",
                   one.cluster.name);
}

// Whether another server leads, or the database does not answer yet.
bool has_to_wait(const Error& error, const PostgresOptions& place) {
  if (error.code == ErrorCode::unavailable) return true;
  if (error.code != ErrorCode::conflict) return false;
  const auto leader = postgres_leader(place);
  return leader ? leader->left.count() > 0 : leader.error().code == ErrorCode::unavailable;
}

Result<void> open_database(Running& running, const ServeOptions& options, Configuration& configuration,
                           const sigset_t& signals) {
  if (const auto named = postgres_place({.conninfo = options.store, .schema = options.store_schema}); !named)
    return std::unexpected(named.error());
  auto held = hold_state_dir(options.state);
  if (!held) return std::unexpected(held.error());
  running.state_dir = std::move(*held);
  if (auto taken = take_port(running, options); !taken) return taken;
  warn_of_local_clusters(configuration);
  const auto place = place_of(running, options);
  // An error here also prevents opening the store, which reports it.
  const auto original = options.take_over ? std::nullopt : postgres_copy_of(place).value_or(std::nullopt);
  if (original)
    return look_at_copied_database(running, *original, place, options, standby_settings(configuration), signals);
  auto store = open_postgres_store(place);
  if (!store && has_to_wait(store.error(), place)) store = stand_by(running, place, options, configuration, signals);
  if (!store) return std::unexpected(store.error());
  running.store = std::move(*store);
  return {};
}

Result<void> open_file(Running& running, const ServeOptions& options, const Configuration& configuration,
                       const sigset_t& signals) {
  if (const auto original = options.take_over ? std::nullopt : copy_of(options.state))
    return look_at_copy(running, *original, options, standby_settings(configuration), signals);
  auto store = open_sqlite_store(
      options.state, {.initialise = options.init, .take_over = options.take_over, .receipts = default_receipts_dir()});
  if (!store) return std::unexpected(store.error());
  running.store = std::move(*store);
  return take_port(running, options);
}

// All servers of a state share one key, so running jobs keep their tokens.
Result<void> find_job_token_key(Running& running, const ServeOptions& options) {
  auto key = job_token_key(options.state);
  if (key && !options.store.empty()) key = shared_secret(place_of(running, options), kJobTokenKey, *key);
  if (!key) return std::unexpected(key.error());
  running.job_token_key = std::move(*key);
  return {};
}

}  // namespace

Result<void> open_state(Running& running, const ServeOptions& options, Configuration& configuration,
                        const sigset_t& signals) {
  auto opened = options.store.empty() ? open_file(running, options, configuration, signals)
                                      : open_database(running, options, configuration, signals);
  if (!opened || !running.store) return opened;
  // From here on all parts use one clock, which is never behind the stored times.
  running.clock.advance_to(running.store->last_time());
  if (auto found = find_job_token_key(running, options); !found) return found;
  auto wiring = make_wiring(configuration,
                            {.state_dir = options.state,
                             .url_remote = url_remote(running, options),
                             .instance = instance_name(running.job_token_key),
                             .shares_state = !options.store.empty()},
                            running.clock);
  if (!wiring) return std::unexpected(wiring.error());
  running.wiring = std::move(*wiring);
  return {};
}

}  // namespace ym
