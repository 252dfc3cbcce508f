#include "engine/cycle/seniority.h"

#include <algorithm>

#include "engine/cycle/turn.h"

namespace ym::engine {
namespace {

bool waits_for_its_turn(Cycle& cycle, Index at) {
  const Seat& seat = cycle.seats[at];
  return seat.standing == Standing::open && may_wait(cycle, seat.shape) && !is_barred(cycle, cycle.rank_at[at]);
}

}  // namespace

void mark_lenders(Cycle& cycle) {
  if (!cycle.state.orders.any()) return;
  for (Index queue = 0; queue < cycle.lines.size(); ++queue) {
    if (!cycle.state.orders.has(queue)) continue;
    for (Index at = cycle.lines[queue]; at < cycle.line_ends[queue]; ++at)
      cycle.seats[at].lends = waits_for_its_turn(cycle, at);
  }
}

Seniority lent_seniority(const Cycle& cycle, const Seat& seat, const Seat& lender) {
  const Seniority own = own_seniority(seat);
  const Seniority lent{.submitted_at = lender.submitted_at, .eldest = lender.id, .own = seat.id};
  const Seniority most{.submitted_at = cycle.now - cycle.shortest_age_cap - Duration{1},
                       .eldest = JobId{~std::uint64_t{0}},
                       .own = seat.id};
  return std::min(own, std::max(lent, most));
}

}  // namespace ym::engine
