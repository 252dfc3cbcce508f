#include "store/postgres/leader.h"

#include <fmt/format.h>

#include "store/postgres/errors.h"

namespace ym::postgres {
namespace {

Parameters of_term(std::int64_t term) {
  Parameters parameters;
  parameters.add(term);
  return parameters;
}

std::unexpected<Error> led_by(Connection& connection, const Leader& leader) {
  return fail(ErrorCode::conflict,
              fmt::format("{}: another server leads: {}. Its lease ends in {:.1f} s if it is not renewed",
                          connection.place(), leader.holder, static_cast<double>(leader.left.count()) / 1000));
}

}  // namespace

Result<Leader> read_leader(Connection& connection) {
  const auto rows = connection.run(
      "SELECT l.term, l.holder, l.url, CASE WHEN has_lapsed(l) THEN 0::bigint ELSE 1 + trunc(1000 * extract(epoch FROM "
      "l.renewed_at + l.lease_ms * interval '1 millisecond' - clock_timestamp()))::bigint END FROM leader l");
  if (!rows) return std::unexpected(rows.error());
  if (rows->size() != 1) return std::unexpected(damaged(connection.place(), "table leader is empty"));
  const auto row = (*rows)[0];
  return Leader{.term = row.integer(0),
                .holder = std::string(row.bytes(1)),
                .url = std::string(row.bytes(2)),
                .has_lapsed = row.integer(3) == 0,
                .left = std::chrono::milliseconds(row.integer(3))};
}

Result<std::int64_t> take_lead(Connection& connection, From from, const Claim& claim) {
  Parameters parameters;
  parameters.add(std::string_view(claim.holder))
      .add(std::string_view(claim.url))
      .add(claim.lease.count())
      .add(std::int64_t{from == From::anyone});
  const auto rows = connection.run("SELECT take_lead($1, $2, $3, $4)", parameters);
  if (!rows) return std::unexpected(rows.error());
  if (!(*rows)[0].is_null(0)) return (*rows)[0].integer(0);
  const auto leader = read_leader(connection);
  if (!leader) return std::unexpected(leader.error());
  return led_by(connection, *leader);
}

Result<void> renew_lease(Connection& connection, std::int64_t term) {
  const auto rows =
      connection.run("UPDATE leader SET renewed_at = clock_timestamp() WHERE term = $1 RETURNING term", of_term(term));
  if (!rows) return std::unexpected(rows.error());
  if (rows->size() == 1) return {};
  return std::unexpected(error_of(connection.place(), kFenced, ""));
}

Result<void> give_up_lead(Connection& connection, std::int64_t term) {
  const auto rows = connection.run("UPDATE leader SET renewed_at = '-infinity' WHERE term = $1", of_term(term));
  if (!rows) return std::unexpected(rows.error());
  return {};
}

Result<std::uint64_t> commits_until_end_of(Connection& connection, std::int64_t term) {
  const auto rows = connection.run("SELECT commits FROM terms WHERE term > $1 ORDER BY term LIMIT 1", of_term(term));
  if (!rows) return std::unexpected(rows.error());
  if (rows->size() != 1) return std::unexpected(damaged(connection.place(), "table terms lacks the last one"));
  return static_cast<std::uint64_t>((*rows)[0].integer(0));
}

}  // namespace ym::postgres
