#include "engine/reserve/search_memo.h"

namespace ym::engine {
namespace {

// As far as searches depend on them.
bool are_alike(const Booking& one, const Booking& other) {
  return one.from == other.from && one.until == other.until && one.flavors == other.flavors && one.nodes == other.nodes;
}

}  // namespace

const std::optional<Booking>* SearchMemo::find(Slot slot, const Basis& basis) const {
  const auto known = found_.find(slot);
  return known != found_.end() && known->second.basis == basis ? &known->second.booking : nullptr;
}

void SearchMemo::note(Slot slot, const Basis& basis, const std::optional<Booking>& found) {
  found_[slot] = {.basis = basis, .booking = found};
}

void SearchMemo::add(const Booking& booking) {
  Step& step = steps_[booking.slot];
  if (step.after == 0 || step.before != reservations_ || !are_alike(step.booking, booking))
    step = {.before = reservations_, .after = ++last_, .booking = booking};
  reservations_ = step.after;
}

}  // namespace ym::engine
