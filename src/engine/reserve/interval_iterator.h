// IntervalIterator: through the times at which what is free of a node changes, bookings included.
#pragma once

#include <span>
#include <vector>

#include "engine/reserve/calendar.h"

namespace ym::engine {

// What somebody is promised of a node begins or ends. Small, as there are many: a search goes through all of them.
struct BookedChange {
  Minute at = 0;
  std::int32_t need = 0;  // a place among those that are promised, from 1 on; negative: it ends
};

// The turns of a node, by time.
using BookedChanges = std::vector<BookedChange>;

class IntervalIterator {
 public:
  struct Node {
    NodeIndex node = kNone;
    std::span<const Calendar::Step> steps;
    std::span<const BookedChange> turns;
    std::span<const NodeNeed> needs;  // of those
  };
  // For who wants devices of the profile. The calendar and what the spans are of must outlive it.
  IntervalIterator(const Calendar& calendar, const Node& node, ProfileIndex profile)
      : calendar_(calendar), at_(node), profile_(profile) {}

  // What is free from this minute on until `next`. Minutes must not go back.
  Free at(Minute minute);
  // Whether that covers the task, the same each time. Who ends takes nothing away: where there was room there still is,
  // until somebody's booking begins.
  bool has_room(Minute minute, const NodeNeed& task);
  // The first minute after the one that was asked of at which that is otherwise; kNoMinute: none.
  Minute next() const;

 private:
  void go_to(Minute minute);

  const Calendar& calendar_;
  Node at_;
  ProfileIndex profile_;
  std::size_t step_ = 0, turn_ = 0;  // so many have begun
  Free unbooked_;                    // as of the last step that has begun
  Booked booked_;
  bool had_room_ = false, has_begun_ = false;  // a booking, since it was asked last
};

}  // namespace ym::engine
