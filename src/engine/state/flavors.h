// Flavors: of which hardware a gang is. Mostly all of it is of one kind; of one that keeps an anchor the first nodes
// may be of another, which is bought so that it stays.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <span>

#include "engine/state/names.h"

namespace ym::engine {

class Flavors {
 public:
  Flavors() = default;
  Flavors(Index only) : of_{only, kNone} {}  // NOLINT(google-explicit-constructor): one flavor is the rule
  // Precondition: they are two.
  static Flavors mix(Index anchor, Index rest) {
    Flavors both(rest);
    both.of_[1] = anchor;
    return both;
  }

  // Of all nodes, or of those beside the anchor.
  Index rest() const { return of_[0]; }
  // Precondition: it is a mix.
  Index anchor() const { return of_[1]; }
  bool is_mix() const { return of_[1] != kNone; }
  bool has(Index flavor) const { return flavor != kNone && (flavor == of_[0] || flavor == of_[1]); }
  std::span<const Index> each() const { return std::span(of_).first(is_mix() ? 2 : 1); }
  auto operator<=>(const Flavors&) const = default;

 private:
  std::array<Index, 2> of_{kNone, kNone};
};

inline bool overlap(const Flavors& a, const Flavors& b) {
  return std::ranges::any_of(a.each(), [&](Index flavor) { return b.has(flavor); });
}

// How many of a gang's tasks are of this one of its flavors.
inline std::int64_t tasks_in(const Flavors& flavors, Index flavor, std::int64_t anchor, std::int64_t tasks) {
  if (!flavors.is_mix()) return tasks;
  return flavor == flavors.anchor() ? anchor : tasks - anchor;
}

}  // namespace ym::engine
