// Flavors: the hardware of a gang. Mostly all of it is of one flavor. Its parts may be of several: an anchor, which is
// bought so that it stays, and the other nodes; or groups of tasks that differ.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <span>

#include "base/assert.h"
#include "engine/state/names.h"
#include "model/job_spec.h"

namespace ym::engine {

class Flavors {
 public:
  Flavors() = default;
  Flavors(FlavorIndex only) : parts_(1), distinct_(1) {
    each_[0] = only;
  }  // NOLINT(google-explicit-constructor): the rule
  // By part, in the order of the tasks; parts may have the same flavor. Precondition: two to kMostGroups.
  static Flavors of_parts(std::span<const FlavorIndex> parts) {
    YM_ASSERT(parts.size() >= 2 && parts.size() <= kMostGroups);
    Flavors flavors;
    flavors.parts_ = flavors.distinct_ = 0;
    for (const FlavorIndex flavor : parts) flavors.add_part(flavor);
    return flavors;
  }

  // Whether the parts are named one by one.
  bool is_mix() const { return parts_ > 1; }
  std::size_t parts() const { return parts_; }
  FlavorIndex of(PartIndex part) const { return each_[place_[part.value]]; }
  // Precondition: it is no mix.
  FlavorIndex only() const { return each_[0]; }
  FlavorIndex first() const { return each_[0]; }
  FlavorIndex last() const { return of(last_part()); }
  PartIndex last_part() const { return PartIndex(parts_ - 1); }
  // Precondition: a part is of the flavor.
  PartIndex first_part_of(FlavorIndex flavor) const {
    PartIndex part{0U};
    while (of(part) != flavor) ++part;
    return part;
  }
  bool has(FlavorIndex flavor) const { return flavor != kNone && std::ranges::find(each(), flavor) != each().end(); }
  // Each flavor once, that of the first part first.
  std::span<const FlavorIndex> each() const { return std::span(each_).first(distinct_); }
  auto operator<=>(const Flavors&) const = default;

 private:
  void add_part(FlavorIndex flavor) {
    const auto known = std::ranges::find(each(), flavor) - each().begin();
    if (known == distinct_) each_[distinct_++] = flavor;
    place_[parts_++] = static_cast<std::uint8_t>(known);
  }

  std::array<FlavorIndex, kMostGroups> each_{kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  std::array<std::uint8_t, kMostGroups> place_{};  // by part, in `each_`
  std::uint8_t parts_ = 1, distinct_ = 1;
};

inline bool overlap(const Flavors& a, const Flavors& b) {
  return std::ranges::any_of(a.each(), [&](FlavorIndex flavor) { return b.has(flavor); });
}

}  // namespace ym::engine
