#include "store/postgres/table_sums.h"

#include <fmt/format.h>

#include "model/json/codec.h"
#include "store/rows/row_sum.h"

namespace ym::postgres {
namespace {

// Tables that may be large. They are read in pages, in the order of their keys; pages of specs are small.
struct Large {
  std::string table;
  std::string columns;
  std::vector<std::size_t> key;
  int rows;
};
const std::vector<Large>& large_tables() {
  static const std::vector<Large> tables{
      {"events", "seq, time, type, v, job, attempt, actor, reason, payload", {0}, 2000},
      {"specs", "id, doc", {0}, 50},
      {"jobs", "id, owner, queue, name, project, state, group_id, submitted_at, doc", {0}, 2000},
      {"attempts", "job, number, doc", {0, 1}, 2000}};
  return tables;
}
std::vector<std::pair<std::string, std::string>> small_tables() {
  std::vector<std::pair<std::string, std::string>> tables{{"idempotency", "principal, key, request_hash, jobs, at"},
                                                          {"tokens", "hash, principal, role, created_at"}};
  (void)rows::each_named([&](std::string_view table) -> Result<void> {
    tables.emplace_back(table, "name, doc");
    return {};
  });
  return tables;
}

}  // namespace

template <std::size_t N>
void TableSums::add(const std::string& table, const std::array<rows::Cell, N>& cells, std::size_t columns) {
  rows::RowSum sum(table);
  for (std::size_t i = 0; i < columns; ++i) sum.add_cell(cells[i]);
  auto& known = tables_[table];
  known.rows += 1;
  known.sum += static_cast<std::uint64_t>(sum.value());
}

void TableSums::add_specs_of(const auto& list) {
  rows::each_spec(list, [&](SpecId id, const JobSpec& spec) {
    if (specs_.insert(id).second) add("specs", rows::cells(id, json::encode(spec)));
  });
}

void TableSums::add_specs(const std::vector<Shared<Job>>& jobs) { add_specs_of(jobs); }

void TableSums::add(const Commit& commit) {
  for (const auto& event : commit.events) add("events", rows::cells(event, json::encode(event.payload)));
  add_specs_of(commit.events);
  for (const Job& job : commit.jobs) add("jobs", rows::cells(job, json::encode(job)));
  for (const Attempt& attempt : commit.attempts) add("attempts", rows::cells(attempt, json::encode(attempt)));
  (void)rows::each_named(commit, [&](std::string_view table, const auto& objects, const auto&) -> Result<void> {
    for (const auto& object : objects) add(std::string(table), rows::cells(object.name, json::encode(object)));
    return {};
  });
  for (const auto& record : commit.idempotency) add("idempotency", rows::cells(record, rows::list_of(record.jobs)));
  for (const auto& token : commit.tokens) add("tokens", rows::cells(token));
}

Result<TableSums> TableSums::stored(Connection& connection) {
  TableSums sums;
  const auto add_all = [&](const std::string& table, const Rows& answer) {
    for (int i = 0; i < answer.size(); ++i) sums.add(table, answer[i].cells(), answer.columns());
  };
  for (const auto& [table, columns] : small_tables()) {
    const auto answer = connection.run(fmt::format("SELECT {} FROM {}", columns, table));
    if (!answer) return std::unexpected(answer.error());
    add_all(table, *answer);
  }
  for (const auto& [table, columns, key, limit] : large_tables()) {
    const bool pair = key.size() == 2;
    const auto names = pair ? "job, number" : columns.substr(0, columns.find(','));
    const auto sql = fmt::format("SELECT {} FROM {} WHERE ({}) > ({}) ORDER BY {} LIMIT {}", columns, table, names,
                                 pair ? "$1, $2" : "$1", names, limit);
    std::vector<std::int64_t> after(key.size(), INT64_MIN);
    while (true) {
      Parameters parameters;
      for (const auto value : after) parameters.add(value);
      const auto answer = connection.run(sql, parameters);
      if (!answer) return std::unexpected(answer.error());
      add_all(table, *answer);
      if (answer->size() < limit) break;
      for (std::size_t i = 0; i < key.size(); ++i)
        after[i] = (*answer)[answer->size() - 1].integer(static_cast<int>(key[i]));
    }
  }
  return sums;
}

std::string TableSums::difference_to(const TableSums& other) const {
  std::set<std::string> names;
  for (const auto* sums : {this, &other})
    for (const auto& [table, sum] : sums->tables_) names.insert(table);
  const auto of = [](const TableSums& sums, const std::string& table) {
    const auto it = sums.tables_.find(table);
    return it == sums.tables_.end() ? Sum() : it->second;
  };
  for (const auto& table : names) {
    const auto mine = of(*this, table), theirs = of(other, table);
    if (mine == theirs) continue;
    return fmt::format("table {}: {} rows with checksum {:016x}, but {} rows with checksum {:016x}", table, mine.rows,
                       mine.sum, theirs.rows, theirs.sum);
  }
  return {};
}

std::map<std::string, std::uint64_t> TableSums::counts() const {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& [table, sum] : tables_) counts[table] = sum.rows;
  return counts;
}

}  // namespace ym::postgres
