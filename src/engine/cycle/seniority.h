// Seniority: since when the next job of a queue has waited, as equal jobs of other queues see it.
//
// That is its own submit time, unless its queue has an order of its own: then whoever goes to the front there (with a
// closer deadline, a shorter run, or having used less) stands against others as the eldest of those whom he passes, if
// these are as urgent. So it is no matter to others, nor to those behind him, in which order a queue sends its jobs;
// else it would stand behind what came later to other queues, and with it those who hold promises.
//
// Lent is nothing by those who wait for something else than their turn: by whom nothing can serve, who is beyond a
// limit of what runs or a budget, or for whom a place is kept. And nobody passes one that has waited for longer than
// the shortest age cap by what he is lent: else one that is always last in its queue would send others past him for
// ever.
#pragma once

#include <compare>

#include "engine/cycle/cycle.h"

namespace ym::engine {

struct Seniority {
  Instant submitted_at;
  JobId eldest;  // whose that is; after all others: it is the most that is lent
  JobId own;
  auto operator<=>(const Seniority&) const = default;  // less is more senior
};

inline Seniority own_seniority(const Seat& seat) {
  return {.submitted_at = seat.submitted_at, .eldest = seat.id, .own = seat.id};
}

// Says of all seats in queues with an order of their own whether who sits there lends his (Seat::lends), as things are
// before a round.
void mark_lenders(Cycle& cycle);

// That of the one, with what the other lends it.
Seniority lent_seniority(const Cycle& cycle, const Seat& seat, const Seat& lender);

}  // namespace ym::engine
