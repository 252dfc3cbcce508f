// LineUp: where the jobs of a cycle sit, and in which order they have their turns.
#pragma once

#include <vector>

#include "engine/state/indices.h"
#include "engine/state/pending_entry.h"

namespace ym::engine {

struct LineUp {
  // The seats of the jobs that are considered: queue by queue, each in the order of its jobs. Then those of the others.
  IndexedVector<EntryIndex, PendingEntry> entries;
  // Where the seats of a queue begin and end. The seats from there to the next line are empty.
  IndexedVector<QueueIndex, EntryIndex> lines, line_ends;
  IndexedVector<Rank, EntryIndex> order;
  IndexedVector<Slot, EntryIndex> entry_of;  // kNone: the job has none
  IndexedVector<EntryIndex, Rank> rank_at;
  std::vector<EntryIndex> placed;  // the seats whose jobs are placed (PendingEntry::placed)
  Rank considered{0};              // the end of the ranks of the jobs that are considered; the others come behind

  PendingEntry& entry(Rank rank) { return entries[order[rank]]; }
  const PendingEntry& entry(Rank rank) const { return entries[order[rank]]; }
  // Precondition: the job has a seat.
  Rank rank_of(Slot slot) const { return rank_at[entry_of[slot]]; }
  bool is_open(Rank rank) const { return entry(rank).status == EntryStatus::open; }
  bool some_are_open() const;
  // The job in the seat gets this rank, and the job that had it gets the rank of that one. Both are considered.
  void set_rank(EntryIndex entry, Rank rank);
};

}  // namespace ym::engine
