#include "reference/smaller_world.h"

#include <rapidcheck.h>

#include <set>

namespace ym::reference {
namespace {

using Rows = std::vector<std::string>;

// Rows that others refer to stay: nodes of attempts, of nominated placements and of advance reservations.
std::set<std::string> nodes_in_use(const Tables& tables) {
  std::set<std::string> nodes;
  for (const auto& [key, attempt] : tables.attempts)
    for (const auto& placed : attempt.placement) nodes.insert(placed.node);
  for (const auto& [id, job] : tables.jobs)
    if (job.nomination)
      for (const auto& placed : job.nomination->placement) nodes.insert(placed.node);
  for (const auto& [name, reservation] : tables.reservations)
    nodes.insert(reservation.nodes.begin(), reservation.nodes.end());
  return nodes;
}

std::set<std::string> queues_in_use(const Tables& tables) {
  std::set<std::string> queues;
  for (const auto& [id, job] : tables.jobs) queues.insert(job.queue);
  for (const auto& [key, attempt] : tables.attempts) queues.insert(attempt.queue);
  for (const auto& [name, queue] : tables.queues) queues.insert(queue.parent);
  return queues;
}

template <class Table>
void add_names(const char* kind, const Table& table, Rows& rows) {
  for (const auto& [name, row] : table) rows.push_back(std::string(kind) + " " + name);
}

Rows rows_of(const Tables& tables) {
  Rows rows;
  for (const auto& [id, job] : tables.jobs) rows.push_back("job " + to_string(id));
  add_names("reservation", tables.reservations, rows);
  add_names("node", tables.nodes, rows);
  add_names("queue", tables.queues, rows);
  return rows;
}

template <class Table>
void keep_only(const char* kind, const std::set<std::string>& rows, const std::set<std::string>& used, Table& table) {
  std::erase_if(table, [&](const auto& entry) {
    return !rows.contains(std::string(kind) + " " + entry.first) && !used.contains(entry.first);
  });
}

Tables only(Tables tables, const Rows& kept) {
  const std::set<std::string> rows(kept.begin(), kept.end());
  const auto is_out = [&](JobId id) { return !rows.contains("job " + to_string(id)); };
  erase_if(tables.attempts, [&](const auto& entry) { return is_out(entry.first.job); });
  erase_if(tables.jobs, [&](const auto& entry) { return is_out(entry.first); });
  keep_only("reservation", rows, {}, tables.reservations);
  keep_only("node", rows, nodes_in_use(tables), tables.nodes);
  keep_only("queue", rows, queues_in_use(tables), tables.queues);
  return tables;
}

}  // namespace

SmallerWorld smaller_world(const Tables& tables, const Differs& differs) {
  const auto fewer_and_fewer =
      rc::shrinkable::shrinkRecur(rows_of(tables), [](const Rows& rows) { return rc::shrink::removeChunks(rows); });
  const auto [rows, steps] =
      rc::shrinkable::findLocalMin(fewer_and_fewer, [&](const Rows& some) { return differs(only(tables, some)); });
  SmallerWorld smallest{.tables = only(tables, rows), .rows = {}};
  smallest.rows = rows_of(smallest.tables);
  return smallest;
}

}  // namespace ym::reference
