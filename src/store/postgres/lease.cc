#include "store/postgres/lease.h"

#include "store/postgres/leader.h"

namespace ym::postgres {
namespace {

constexpr std::chrono::minutes kMeasured{1};

}  // namespace

Lease::Lease(ConnectionOptions options, std::int64_t term, std::chrono::milliseconds lease, std::uint64_t bytes)
    : options_(std::move(options)),
      lease_(lease),
      term_(term),
      bytes_(bytes),
      measured_(std::chrono::steady_clock::now()),
      thread_([this](const std::stop_token& stop) { keep(stop); }) {}

void Lease::stop() {
  thread_.request_stop();
  thread_.join();
}

void Lease::keep(const std::stop_token& stop) {
  std::unique_ptr<Connection> connection;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, lease_ / 3, [] { return false; });
    if (!stop.stop_requested()) renew(connection);
  }
}

// What fails here is tried again at the next turn; a lead that was lost is told by the next commit.
void Lease::renew(std::unique_ptr<Connection>& connection) {
  if (!connection || connection->lost()) {
    auto opened = Connection::open(options_);
    if (!opened) return;
    connection = std::move(*opened);
  }
  (void)renew_lease(*connection, term_);
  const auto now = std::chrono::steady_clock::now();
  if (now - measured_ < kMeasured) return;
  measured_ = now;
  if (const auto bytes = stored_bytes(*connection)) bytes_ = *bytes;
}

Result<std::uint64_t> stored_bytes(Connection& connection) {
  const auto rows = connection.run(
      "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class "
      "WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind = 'r'");
  if (!rows) return std::unexpected(rows.error());
  return static_cast<std::uint64_t>((*rows)[0].integer(0));
}

}  // namespace ym::postgres
