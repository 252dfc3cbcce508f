#include "store/sqlite/rows.h"

#include <fmt/format.h>

#include "store/sqlite/row_sum.h"

namespace ym::sqlite {
namespace {

// Checks the row against its checksum. Returns its columns.
Result<rows::Cells> checked(const Query& row, std::string_view table) {
  if (auto whole = check_row(row, table); !whole) return std::unexpected(whole.error());
  return row.cells();
}

// Reads a row with a document that may refer to a spec.
template <class Open, class Read>
auto read_with_spec(const Query& row, std::string_view table, SpecReader& specs, Open open, Read read)
    -> decltype(read(std::declval<rows::Document>(), nullptr)) {
  const auto columns = checked(row, table);
  if (!columns) return std::unexpected(columns.error());
  const auto document = located(row, open(*columns));
  if (!document) return std::unexpected(document.error());
  std::shared_ptr<const JobSpec> spec;
  if (document->spec) {
    auto found = specs.spec(*document->spec);
    if (!found) return std::unexpected(found.error());
    spec = std::move(*found);
  }
  return located(row, read(*document, std::move(spec)));
}

}  // namespace

Result<std::shared_ptr<const JobSpec>> SpecReader::spec(SpecId id) {
  if (auto known = cache_.find(id)) return known;
  auto query = database_->query("SELECT id, doc, sum FROM specs WHERE id = ?");
  if (!query) return std::unexpected(query.error());
  query->bind(1, column(id));
  const auto row = query->step();
  if (!row) return std::unexpected(row.error());
  if (!*row)
    return std::unexpected(damaged(database_->file(), fmt::format("row {} of table specs is missing", id.value)));
  const auto columns = checked(*query, "specs");
  if (!columns) return std::unexpected(columns.error());
  cache_.make_room();
  return located(*query, cache_.add(id, rows::text((*columns)[1])));
}

Result<Job> read_job(const Query& row, SpecReader& specs) {
  return read_with_spec(row, "jobs", specs, rows::open_job, rows::read_job);
}

Result<Event> read_event(const Query& row, SpecReader& specs) {
  return read_with_spec(row, "events", specs, rows::open_event, rows::read_event);
}

Result<Attempt> read_attempt(const Query& row) {
  const auto columns = checked(row, "attempts");
  if (!columns) return std::unexpected(columns.error());
  return located(row, rows::read_attempt(*columns));
}

Result<IdempotencyRecord> read_idempotency(const Query& row) {
  const auto columns = checked(row, "idempotency");
  if (!columns) return std::unexpected(columns.error());
  return located(row, rows::read_idempotency(*columns));
}

Result<TokenRecord> read_token(const Query& row) {
  const auto columns = checked(row, "tokens");
  if (!columns) return std::unexpected(columns.error());
  return rows::read_token(*columns);
}

Result<void> read_named(const Query& row, std::string_view table, Tables& tables) {
  const auto columns = checked(row, table);
  if (!columns) return std::unexpected(columns.error());
  return located(row, rows::read_named(*columns, table, tables));
}

}  // namespace ym::sqlite
