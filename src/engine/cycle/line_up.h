// LineUp: where the jobs of a cycle sit, and in which order they have their turns.
#pragma once

#include <vector>

#include "engine/state/indices.h"
#include "engine/state/seat.h"

namespace ym::engine {

struct LineUp {
  // The seats of the jobs that are considered: queue by queue, each in the order of its jobs. Then those of the others.
  IndexedVector<SeatIndex, Seat> seats;
  // Where the seats of a queue begin and end. The seats from there to the next line are empty.
  IndexedVector<QueueIndex, SeatIndex> lines, line_ends;
  IndexedVector<Rank, SeatIndex> order;
  IndexedVector<Slot, SeatIndex> seat_of;  // kNone: the job has none
  IndexedVector<SeatIndex, Rank> rank_at;
  std::vector<SeatIndex> placed;  // the seats whose jobs are placed (Seat::placed)
  Rank considered{0};             // the end of the ranks of the jobs that are considered; the others come behind

  Seat& seat(Rank rank) { return seats[order[rank]]; }
  const Seat& seat(Rank rank) const { return seats[order[rank]]; }
  // Precondition: the job has a seat.
  Rank rank_of(Slot slot) const { return rank_at[seat_of[slot]]; }
  bool is_open(Rank rank) const { return seat(rank).standing == Standing::open; }
  bool some_are_open() const;
  // The job in the seat gets this rank, and the job that had it gets the rank of that one. Both are considered.
  void set_rank(SeatIndex seat, Rank rank);
};

}  // namespace ym::engine
