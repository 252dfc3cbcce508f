// A Markov chain of small steps: whether spot can be had, as a plan takes it.
//
// Chances are whole numbers of kCertain, so that plans are the same to the last digit everywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "papers/spot/market.h"

namespace ym::sim::spot {

inline constexpr std::int64_t kStepMs = kHourMs / 6;
inline constexpr std::int64_t kCertain = 65'536;

struct Arc {
  std::size_t to = 0;
  std::int32_t chance = 0;
  bool loses = false;  // whoever is on spot has to start anew, though spot may be had
};

struct ChainState {
  bool up = false;  // spot can be had
  std::vector<Arc> arcs{};
};

struct Chain {
  std::vector<ChainState> states;  // the chances of the arcs of each add up to kCertain
  std::int32_t never_back = 0;     // the chance, in each step, that spot is gone for good
};

}  // namespace ym::sim::spot
