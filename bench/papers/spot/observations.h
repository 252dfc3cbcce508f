// What was seen of a market: the spells of its zones, and whether there was another zone when one was lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "papers/spot/spells.h"

namespace ym::sim::spot {

class Observations {
 public:
  explicit Observations(std::size_t zones) : zones_(zones) {}

  // One tick after another. Precondition: as many zones.
  void see(const View& view);

  std::size_t zones() const { return zones_.size(); }
  const SpellWatch& zone(std::size_t zone) const { return zones_[zone]; }
  // Of the highest level of all zones.
  const SpellWatch& best() const { return best_; }
  // How often a zone could give the gang no more, and how often of these another one could.
  std::int64_t losses() const { return losses_; }
  std::int64_t moves() const { return moves_; }

 private:
  std::vector<SpellWatch> zones_;
  SpellWatch best_;
  std::int64_t losses_ = 0, moves_ = 0;
};

// The ticks from `first` up to `end`.
Observations observe(const Market& market, std::size_t first, std::size_t end);

}  // namespace ym::sim::spot
