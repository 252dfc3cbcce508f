// SearchMemo: the earliest reservation found for each job, as long as it stays valid. Each round makes all
// reservations anew, from the first job on, and mostly the same ones. If the reservations before a job are the same,
// and nothing of any node was taken or given back, its search would find the same again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "engine/reserve/booking.h"

namespace ym::engine {

// For one cycle.
class SearchMemo {
 public:
  // What the result of a search depends on, besides what the job needs.
  struct Basis {
    std::uint64_t promised = 0;  // the number of the reservations before it
    std::uint64_t touches = 0;   // the end of the log of touched nodes
    Flavors flavors;
    Minute length = 0, not_before = 0;
    Pass pass = kNoPass;
    bool operator==(const Basis&) const = default;
  };

  // For the job in this slot; null: not known. Valid until the next `note`.
  const std::optional<Booking>* find(Slot slot, const Basis& basis) const;
  void note(Slot slot, const Basis& basis, const std::optional<Booking>& found);

  // A number for all current reservations, in their order: equal reservations have equal numbers.
  std::uint64_t promised() const { return promised_; }
  // Adds a reservation.
  void add(const Booking& booking);
  // Removes all reservations.
  void clear() { promised_ = 0; }

 private:
  struct Found {
    Basis basis;
    std::optional<Booking> booking;
  };
  // One reservation was added to others: the numbers before and after.
  struct Step {
    std::uint64_t before = 0, after = 0;
    Booking booking;
  };

  std::map<Slot, Found> found_;  // by slot, the last
  std::map<Slot, Step> steps_;   // by slot, the last
  std::uint64_t promised_ = 0, last_ = 0;
};

}  // namespace ym::engine
