// SearchMemo: what was found to be the earliest that a job could be promised, and is so still. A round promises anew
// from the first job on, and mostly what the one before it promised: where the same is promised before a job, and
// nothing was taken of any node or given back, its search would find the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "engine/reserve/booking.h"

namespace ym::engine {

// Of one cycle.
class SearchMemo {
 public:
  // What a search rests on, beside what the job needs.
  struct Basis {
    std::uint64_t promised = 0;  // the number of what is promised
    std::uint64_t touches = 0;   // the end of the log of touched nodes
    Flavors flavors;
    Minute length = 0, not_before = 0;
    Pass pass = 0;
    bool operator==(const Basis&) const = default;
  };

  // Of the job in this slot; null: it is not known. RunningAllocations until the next `note`.
  const std::optional<Booking>* find(Slot slot, const Basis& basis) const;
  void note(Slot slot, const Basis& basis, const std::optional<Booking>& found);

  // A number for all that is promised now, in its order: where it is equal, that is.
  std::uint64_t promised() const { return promised_; }
  // That is promised beside it.
  void add(const Booking& booking);
  // Nothing is promised any more.
  void clear() { promised_ = 0; }

 private:
  struct Found {
    Basis basis;
    std::optional<Booking> booking;
  };
  // That this was promised beside that.
  struct Step {
    std::uint64_t before = 0, after = 0;
    Booking booking;
  };

  std::map<Slot, Found> found_;  // by slot, the last
  std::map<Slot, Step> steps_;   // by slot, the last
  std::uint64_t promised_ = 0, last_ = 0;
};

}  // namespace ym::engine
