#include "engine/reserve/interval_iterator.h"

#include <algorithm>

namespace ym::engine {

void IntervalIterator::go_to(Minute minute) {
  const std::size_t before = step_;
  while (step_ < at_.steps.size() && at_.steps[step_].from <= minute) ++step_;
  if (step_ != before) unbooked_ = calendar_.of_step(at_.steps[step_ - 1], at_.node, profile_);
  for (; turn_ < at_.turns.size() && at_.turns[turn_].at() <= minute; ++turn_) {
    const BookedChange& turn = at_.turns[turn_];
    const NodeNeed& need = at_.needs[turn.need()];
    has_begun_ = has_begun_ || turn.begins();
    if (turn.begins()) booked_.add(need, profile_);
    else booked_.remove(need, profile_);
  }
}

Free IntervalIterator::at(Minute minute) {
  go_to(minute);
  Free free = unbooked_;
  free -= booked_;
  return free;
}

// For shared devices the reliable amount may shrink although more becomes free. A device that no job uses any more
// counts as the smallest of the node. For a shared one it is known which device it is.
bool IntervalIterator::has_room(Minute minute, const NodeNeed& task) {
  if (task.shares()) {
    has_begun_ = false;
    const bool covers = at(minute).covers(task);
    return had_room_ = covers || (had_room_ && !has_begun_);
  }
  go_to(minute);
  return (task.devices == 0 || unbooked_.devices - booked_.devices >= task.devices) &&
         (task.cpus == 0 || unbooked_.cpus - booked_.cpus >= task.cpus) &&
         (task.memory == 0 || unbooked_.memory - booked_.memory >= task.memory);
}

Minute IntervalIterator::next() const {
  const Minute step = step_ < at_.steps.size() ? at_.steps[step_].from : kNoMinute;
  const Minute turn = turn_ < at_.turns.size() ? at_.turns[turn_].at() : kNoMinute;
  return std::min(step, turn);
}

}  // namespace ym::engine
