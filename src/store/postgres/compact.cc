#include "store/postgres/compact.h"

#include <fmt/format.h>

#include <string>

#include "store/rows/cells.h"

namespace ym::postgres {
namespace {

std::string all_tables() {
  std::string tables = "events, specs, jobs, attempts, idempotency, tokens";
  (void)rows::each_named([&](std::string_view table) -> Result<void> {
    tables += fmt::format(", {}", table);
    return {};
  });
  return tables;
}

// With FREEZE, a table that is written anew has the oldest transaction that may still read deleted rows as its
// relfrozenxid. A table with an older one than ours, which began after all deletions, has kept such rows.
constexpr const char* kKeepsOldRows =
    "SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) "
    "AND oid = ANY($1::text::regclass[]) AND age(relfrozenxid) > age($2::text::xid) ORDER BY relname LIMIT 1";

}  // namespace

Result<void> compact(Connection& connection) {
  const auto tables = all_tables();
  const auto began = connection.run("SELECT pg_current_xact_id()::xid::text");
  if (!began) return std::unexpected(began.error());
  if (auto done = connection.execute(fmt::format("VACUUM (FULL, FREEZE, ANALYZE) {}", tables)); !done) return done;
  Parameters parameters;
  parameters.add_text("{" + tables + "}").add_text((*began)[0].bytes(0));
  const auto kept = connection.run(kKeepsOldRows, parameters);
  if (!kept) return std::unexpected(kept.error());
  if (kept->size() == 0) return {};
  return fail(ErrorCode::unavailable,
              fmt::format("{}: table {} keeps rows that were deleted, because another transaction may still read them. "
                          "End it (pg_stat_activity, pg_prepared_xacts, pg_replication_slots), and run this again",
                          connection.place(), (*kept)[0].bytes(0)));
}

}  // namespace ym::postgres
