#include "store/sqlite/meta.h"

#include <fmt/format.h>

#include "store/sqlite/row_sum.h"

namespace ym::sqlite {
namespace {

constexpr std::string_view kTable = "meta";
constexpr int kDocumentsColumn = 6;

std::int64_t stored(std::uint64_t n) { return static_cast<std::int64_t>(n); }
std::uint64_t read(const Query& query, int column) { return static_cast<std::uint64_t>(query.integer(column)); }

}  // namespace

Result<Meta> read_meta(Database& database) {
  // Null until the first commit after the migration that adds the column: the row's checksum does not cover it then.
  const auto versioned = database.integer("SELECT count(documents) FROM meta");
  if (!versioned) return std::unexpected(versioned.error());
  auto query =
      database.query(fmt::format("SELECT id, last_seq, last_id, epoch, last_time, unfinished, {} sum FROM meta",
                                 *versioned > 0 ? "documents," : ""));
  if (!query) return std::unexpected(query.error());
  const auto row = query->step();
  if (!row) return std::unexpected(row.error());
  if (!*row) return std::unexpected(damaged(database.file(), "table meta is empty"));
  if (auto checked = check_row(*query, kTable); !checked) return std::unexpected(checked.error());
  const auto documents = *versioned > 0 ? query->integer(kDocumentsColumn) : json::kFirstDocumentVersion;
  if (auto known = rows::check_documents(database.file().string(), documents); !known)
    return std::unexpected(known.error());
  return Meta{.last_seq = read(*query, 1),
              .last_id = read(*query, 2),
              .epoch = read(*query, 3),
              .last_time = {query->integer(4)},
              .unfinished = query->integer(5),
              .documents = documents};
}

Result<void> write_meta(Database& database, const Meta& meta) {
  auto query = database.query(
      "INSERT INTO meta(id, last_seq, last_id, epoch, last_time, unfinished, documents, sum) VALUES(?,?,?,?,?,?,?,?)");
  if (!query) return std::unexpected(query.error());
  bind_row(*query, kTable, std::int64_t{1}, stored(meta.last_seq), stored(meta.last_id), stored(meta.epoch),
           meta.last_time.ms, meta.unfinished, meta.documents);
  return query->run();
}

Result<void> replace_meta(Database& database, const Meta& before, const Meta& after) {
  auto query = database.query(
      "UPDATE meta SET id=?, last_seq=?, last_id=?, epoch=?, last_time=?, unfinished=?, documents=?, sum=? "
      "WHERE last_seq=? AND epoch=?");
  if (!query) return std::unexpected(query.error());
  bind_row(*query, kTable, std::int64_t{1}, stored(after.last_seq), stored(after.last_id), stored(after.epoch),
           after.last_time.ms, after.unfinished, after.documents);
  query->bind(9, stored(before.last_seq));
  query->bind(10, stored(before.epoch));
  if (auto done = query->run(); !done) return done;
  if (sqlite3_changes(database.handle()) == 1) return {};
  return fail(ErrorCode::conflict, fmt::format("another server has taken over {}", database.file().string()));
}

}  // namespace ym::sqlite
