// IntervalIterator: goes through the times at which free capacity of a node changes, reservations included.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/reserve/calendar.h"
#include "engine/state/timeline/free_intervals.h"

namespace ym::engine {

// A reservation of a part of a node begins or ends. It is small because a search goes through all of them.
class BookedChange {
 public:
  using Need = FreeIntervals::PromisedNeed;

  static BookedChange beginning(Minute at, Need need) { return {at, static_cast<std::int32_t>(need.value) + 1}; }
  static BookedChange ending(Minute at, Need need) { return {at, -(static_cast<std::int32_t>(need.value) + 1)}; }

  Minute at() const { return at_; }
  bool begins() const { return need_ > 0; }
  Need need() const { return Need((begins() ? need_ : -need_) - 1); }

 private:
  BookedChange(Minute at, std::int32_t need) : at_(at), need_(need) {}

  Minute at_;
  std::int32_t need_;  // from 1 on; negative: it ends
};

// The changes on a node, by time.
using BookedChanges = std::vector<BookedChange>;

class IntervalIterator {
 public:
  struct Node {
    NodeIndex node = kNone;
    std::span<const Calendar::Step> steps;
    std::span<const BookedChange> turns;
    IndexedSpan<BookedChange::Need, NodeNeed> needs;  // of the changes
  };
  // For tasks that want devices of the profile. The calendar and the spans' data must outlive it.
  IntervalIterator(const Calendar& calendar, const Node& node, ProfileIndex profile)
      : calendar_(calendar), at_(node), profile_(profile) {}

  // What is free from this minute until `next`. Minutes must not decrease.
  Free at(Minute minute);
  // Whether that covers the task, which must be the same at each call. An end takes nothing away: where there was
  // room, there still is, until a reservation begins.
  bool has_room(Minute minute, const NodeNeed& task);
  // The first minute after the last one asked for at which that changes; kNoMinute: none.
  Minute next() const;

 private:
  void go_to(Minute minute);

  const Calendar& calendar_;
  Node at_;
  ProfileIndex profile_;
  std::size_t step_ = 0, turn_ = 0;  // number of steps and of changes that have begun
  Free unbooked_;                    // as of the last step that has begun
  Booked booked_;
  bool had_room_ = false, has_begun_ = false;  // `has_begun_`: a reservation began since the last question
};

}  // namespace ym::engine
