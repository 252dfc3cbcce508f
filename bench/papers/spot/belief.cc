#include "papers/spot/belief.h"

#include <algorithm>

namespace ym::sim::spot {
namespace {

constexpr std::size_t kAmpleAt = 0, kZeroAt = kAges, kHighAt = 2 * kAges, kLowAt = kHighAt + 1, kTightAt = kLowAt + 1;
// The age at which somebody finds the zone to which they move: between one and two hours.
constexpr std::size_t kAgeOnMoving = 4;
constexpr std::int64_t kMostEnds = 60'000;  // of kCertain, in a step

constexpr std::size_t kLevels = 5;
// Where a level goes, in %, in the order of Level: for zero and ample when a spell ends, for others in each step.
using Exits = std::array<std::array<std::int64_t, kLevels>, kLevels>;
constexpr Exits kExitsTwo = {{{0, 0, 0, 0, 100}, {}, {}, {}, {100, 0, 0, 0, 0}}};
constexpr Exits kExitsNoTight = {{{0, 38, 12, 0, 50}, {26, 0, 7, 0, 25}, {12, 10, 0, 0, 48}, {}, {32, 28, 40, 0, 0}}};
constexpr Exits kExitsAll = {
    {{0, 10, 4, 13, 73}, {27, 0, 5, 9, 30}, {26, 11, 0, 14, 24}, {20, 4, 2, 0, 36}, {63, 9, 3, 25, 0}}};

constexpr std::array<std::size_t, kLevels> kEntry = {kZeroAt, kLowAt, kHighAt, kTightAt, kAmpleAt};

const Exits& exits_of(Belief::Levels levels) {
  switch (levels) {
    case Belief::Levels::two: return kExitsTwo;
    case Belief::Levels::no_tight: return kExitsNoTight;
    case Belief::Levels::all: break;
  }
  return kExitsAll;
}

std::size_t index_of(Level level) { return static_cast<std::size_t>(level); }

std::int64_t of_percent(std::int64_t percent) { return percent * kCertain / 100; }

void add(ChainState& state, std::size_t to, std::int64_t chance, bool loses = false) {
  if (chance > 0) state.arcs.push_back({.to = to, .chance = static_cast<std::int32_t>(chance), .loses = loses});
}

// Where a spell goes when it ends, with chances that add up to kCertain or a little less.
std::vector<Arc> spell_exits(const Belief& belief, Level level) {
  const std::int64_t move = level == Level::ample ? kMoveChances[belief.move_chance] : 0;
  ChainState exits;
  for (std::size_t to = 0; to < kLevels; ++to) {
    const std::int64_t share = of_percent(exits_of(belief.levels)[index_of(level)][to]);
    add(exits, kEntry[to], share * (kCertain - move) / kCertain);
  }
  add(exits, kAmpleAt + kAgeOnMoving, move, true);
  return exits.arcs;
}

// The ages of a spell of that level whose first state is `first`. A bucket is left for the next in such a way that its
// length is right on average.
void add_spell(Chain& chain, std::size_t first, std::int64_t factor, const std::vector<Arc>& exits) {
  for (std::size_t age = 0; age < kAges; ++age) {
    ChainState& state = chain.states[first + age];
    const std::int64_t ends =
        std::min(kMostEnds, kEndsIn1000Hours[age] * factor / 1024 * kCertain / 1000 * kStepMs / kHourMs);
    std::int64_t stays = kCertain;
    for (const Arc& exit : exits) {
      const std::int64_t chance = ends * exit.chance / kCertain;
      add(state, exit.to, chance, exit.loses);
      stays -= chance;
    }
    if (age + 1 < kAges) {
      const std::int64_t steps = (kAgeEndMs[age] - (age == 0 ? 0 : kAgeEndMs[age - 1])) / kStepMs;
      add(state, first + age + 1, (kCertain - ends) / steps);
      stays -= (kCertain - ends) / steps;
    }
    add(state, first + age, stays);
  }
}

void add_level(Chain& chain, Level level, const Exits& exits) {
  const std::size_t from = kEntry[index_of(level)];
  std::int64_t stays = kCertain;
  for (std::size_t to = 0; to < kLevels; ++to) {
    const std::int64_t chance = of_percent(exits[index_of(level)][to]);
    add(chain.states[from], kEntry[to], chance);
    stays -= chance;
  }
  add(chain.states[from], from, stays);
}

}  // namespace

std::size_t nearest_factor(const Evidence& evidence) {
  using Wide = __int128;  // squares of thousandths of ends outgrow 64 bits within a year
  const Wide seen = Wide{evidence.seen_milli} * 1024, expected = evidence.expected_milli;
  std::size_t nearest = 0;
  while (nearest + 1 < kFactors.size() && seen * seen > expected * expected * kFactors[nearest] * kFactors[nearest + 1])
    ++nearest;
  return nearest;
}

std::size_t nearest_move_chance(std::int64_t chance) {
  std::size_t nearest = 0;
  while (nearest + 1 < kMoveChances.size() && 2 * chance > kMoveChances[nearest] + kMoveChances[nearest + 1]) ++nearest;
  return nearest;
}

Belief::Levels levels_of(const Gang& gang) {
  if (gang.most == 1) return Belief::Levels::two;
  return gang.most > gang.nodes ? Belief::Levels::all : Belief::Levels::no_tight;
}

Chain chain_of(const Belief& belief) {
  Chain chain{.states = std::vector<ChainState>(kHighAt), .never_back = belief.never_back};
  for (std::size_t age = 0; age < kAges; ++age) chain.states[kAmpleAt + age].up = true;
  if (belief.levels != Belief::Levels::two) chain.states.resize(kTightAt);
  if (belief.levels == Belief::Levels::all) chain.states.push_back({.up = true});
  add_spell(chain, kAmpleAt, kFactors[belief.ample_factor], spell_exits(belief, Level::ample));
  add_spell(chain, kZeroAt, kFactors[belief.zero_factor], spell_exits(belief, Level::zero));
  for (const Level level : {Level::high, Level::low, Level::tight})
    if (kEntry[index_of(level)] < chain.states.size()) add_level(chain, level, exits_of(belief.levels));
  return chain;
}

std::size_t state_of(const SpellWatch& watch) {
  const std::size_t entry = kEntry[index_of(watch.level())];
  const bool has_age = watch.level() == Level::ample || watch.level() == Level::zero;
  return has_age ? entry + age_bucket(watch.age_ms()) : entry;
}

}  // namespace ym::sim::spot
