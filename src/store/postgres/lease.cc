#include "store/postgres/lease.h"

#include "store/postgres/leader.h"

namespace ym::postgres {
namespace {

constexpr std::chrono::minutes kMeasured{1};

}  // namespace

Lease::Lease(Options options, std::int64_t term, std::uint64_t bytes)
    : options_(std::move(options)),
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
  while (!stop.stop_requested() && !replaced_) {
    wake_.wait_for(lock, stop, options_.claim.lease / 3, [] { return false; });
    if (!stop.stop_requested()) renew(connection);
  }
}

// What fails here is tried again in the next round.
void Lease::renew(std::unique_ptr<Connection>& connection) {
  if (!connection || connection->lost()) {
    auto opened = Connection::open(options_.connection);
    if (!opened) return;
    connection = std::move(*opened);
  }
  if (const auto renewed = renew_lease(*connection, term_); !renewed && renewed.error().code == ErrorCode::conflict)
    return check_leader(*connection, renewed.error());
  const auto now = std::chrono::steady_clock::now();
  if (now - measured_ < kMeasured) return;
  measured_ = now;
  if (const auto bytes = stored_bytes(*connection)) bytes_ = *bytes;
}

// The term may have ended because this server has begun another one, on a new connection.
void Lease::check_leader(Connection& connection, const Error& refused) {
  const auto leader = read_leader(connection);
  replaced_ = leader && leader->holder != options_.claim.holder;
  if (replaced_ && options_.on_replaced) options_.on_replaced(refused);
}

Result<std::uint64_t> stored_bytes(Connection& connection) {
  const auto rows = connection.run(
      "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class "
      "WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind = 'r'");
  if (!rows) return std::unexpected(rows.error());
  return static_cast<std::uint64_t>((*rows)[0].integer(0));
}

}  // namespace ym::postgres
