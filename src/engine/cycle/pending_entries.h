// PendingEntries: the entries of a cycle, and the order in which it tries them.
#pragma once

#include <vector>

#include "engine/state/indices.h"
#include "engine/state/pending_entry.h"

namespace ym::engine {

struct PendingEntries {
  // The entries of the jobs that are considered: queue by queue, each in the order of its jobs. Then those of the
  // others.
  IndexedVector<EntryIndex, PendingEntry> entries;
  // Where the entries of a queue begin and end. Entries between that end and the next queue's begin are unused.
  IndexedVector<QueueIndex, EntryIndex> lines, line_ends;
  IndexedVector<Rank, EntryIndex> order;
  IndexedVector<Slot, EntryIndex> entry_of;  // kNone: the job has none
  IndexedVector<EntryIndex, Rank> rank_at;
  std::vector<EntryIndex> placed;  // entries of placed jobs
  Rank considered{0};              // end of the ranks of the considered jobs

  PendingEntry& entry(Rank rank) { return entries[order[rank]]; }
  const PendingEntry& entry(Rank rank) const { return entries[order[rank]]; }
  // Precondition: the job has an entry.
  Rank rank_of(Slot slot) const { return rank_at[entry_of[slot]]; }
  bool is_open(Rank rank) const { return entry(rank).status == EntryStatus::open; }
  bool some_are_open() const;
  // The entry gets this rank and swaps with the entry that had it. Both are considered.
  void set_rank(EntryIndex entry, Rank rank);
};

}  // namespace ym::engine
