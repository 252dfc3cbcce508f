#include "reference/advance_reservations.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ym::reference {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& one) {
  return std::ranges::find(list, one) != list.end();
}

}  // namespace

std::vector<const AdvanceReservation*> AdvanceReservations::all() const {
  std::vector<const AdvanceReservation*> rows;
  for (const auto& [name, row] : t_.reservations)
    if (row.until > now_) rows.push_back(&row);
  std::ranges::sort(rows, {}, [](const auto* row) { return std::tuple(row->from, row->name); });
  return rows;
}

bool AdvanceReservations::lets_in(const AdvanceReservation& row, const Job& job) const {
  if (contains(row.users, job.owner)) return true;
  std::set<std::string> seen;
  for (std::string queue = job.queue; t_.queues.contains(queue) && seen.insert(queue).second;
       queue = t_.queues.at(queue).parent)
    if (contains(row.queues, queue)) return true;
  return false;
}

const AdvanceReservation* AdvanceReservations::closing(const Job& job, const Node& node, Instant from,
                                                       std::optional<Instant> until) const {
  for (const auto* row : all())
    if (contains(row->nodes, node.name) && row->until > from && (!until || row->from < *until) && !lets_in(*row, job))
      return row;
  return nullptr;
}

}  // namespace ym::reference
