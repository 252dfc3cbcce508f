// What is believed of a market, in a form so coarse that few different beliefs occur: a plan is made once for each.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "papers/spot/chain.h"
#include "papers/spot/spells.h"

namespace ym::sim::spot {

// How many times as often spells end as kEndsIn1000Hours says, in 1/1024: powers of the square root of 2.
inline constexpr std::array<std::int64_t, 13> kFactors = {128,  181,  256,  362,  512,  724, 1024,
                                                          1448, 2048, 2896, 4096, 5793, 8192};
// Of kCertain: the chance that another zone is up when one is lost.
inline constexpr std::array<std::int32_t, 5> kMoveChances = {0, 16'384, 32'768, 49'152, 60'000};

struct Belief {
  // Which levels there are.
  enum class Levels : std::uint8_t {
    two,       // zero and ample: one node, of one that can be asked for
    no_tight,  // a gang of all that a zone can be asked for
    all,
  };

  std::size_t zero_factor = 6, ample_factor = 6;  // of spells of these levels; into kFactors
  std::size_t move_chance = 0;                    // into kMoveChances
  Levels levels = Levels::two;
  std::int32_t never_back = 0;  // of kCertain: the chance, in each step, that spot is gone for good
  auto operator<=>(const Belief&) const = default;
};

// The nearest in the sense of the logarithm; the smaller of equals. Precondition: some are expected.
std::size_t nearest_factor(const Evidence& evidence);
// `chance` of kCertain.
std::size_t nearest_move_chance(std::int64_t chance);
Belief::Levels levels_of(const Gang& gang);

// The belief as a chain: ages of ample spells, ages of zero spells, then the levels between, without an age, as far as
// there are any. Where it goes from a level was pooled over the first halves of the recordings of gangs.
Chain chain_of(const Belief& belief);
// The state of that chain in which a zone is. Precondition: its level is one of those of the belief.
std::size_t state_of(const SpellWatch& watch);

}  // namespace ym::sim::spot
