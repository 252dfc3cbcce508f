// Advance reservations, looked up in the tables each time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/tables.h"

namespace ym::reference {

class AdvanceReservations {
 public:
  AdvanceReservations(const Tables& tables, Instant now) : t_(tables), now_(now) {}

  // Those that are not over, by begin and name.
  std::vector<const AdvanceReservation*> all() const;
  // The first that keeps the job off the node at some time from `from` to before `until` (nothing: any later time).
  const AdvanceReservation* closing(const Job& job, const Node& node, Instant from, std::optional<Instant> until) const;

 private:
  bool lets_in(const AdvanceReservation& row, const Job& job) const;

  const Tables& t_;
  Instant now_;
};

}  // namespace ym::reference
