#include "store/postgres/meta.h"

#include "store/postgres/errors.h"

namespace ym::postgres {
namespace {

std::int64_t stored(std::uint64_t n) { return static_cast<std::int64_t>(n); }
std::uint64_t read(const Row& row, int column) { return static_cast<std::uint64_t>(row.integer(column)); }

}  // namespace

Result<Meta> read_meta(Connection& connection) {
  const auto answer =
      connection.run("SELECT commits, last_seq, last_id, epoch, last_time, unfinished, documents FROM meta");
  if (!answer) return std::unexpected(answer.error());
  if (answer->size() != 1) return std::unexpected(damaged(connection.place(), "table meta is empty"));
  const auto row = (*answer)[0];
  if (auto known = rows::check_documents(connection.place(), row.integer(6)); !known)
    return std::unexpected(known.error());
  return Meta{.commits = read(row, 0),
              .state = {.last_seq = read(row, 1),
                        .last_id = read(row, 2),
                        .epoch = read(row, 3),
                        .last_time = {row.integer(4)},
                        .unfinished = row.integer(5),
                        .documents = row.integer(6)}};
}

Statement begin_commit(std::int64_t term, const Meta& before, const Meta& after) {
  Statement statement{.sql = "SELECT begin_commit($1, $2, $3, $4, $5, $6, $7, $8)"};
  statement.parameters.add(term)
      .add(stored(before.commits))
      .add(stored(after.state.last_seq))
      .add(stored(after.state.last_id))
      .add(stored(after.state.epoch))
      .add(after.state.last_time.ms)
      .add(after.state.unfinished)
      .add(after.state.documents);
  return statement;
}

}  // namespace ym::postgres
