// What jobs of a target take of quota and machines, in sum and not by node.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/state/impl.h"

namespace ym::engine {

// What a job takes of a flavor.
struct FlavorPart {
  FlavorIndex flavor = kNone;
  ResourceVector amounts;
};

// Amounts in each of its flavors, without allocation.
class Demand {
 public:
  Demand() = default;
  explicit Demand(const Footprint& place) {
    for (const FlavorIndex flavor : place.flavors.each()) add({.flavor = flavor, .amounts = place.in(flavor)});
  }
  Demand(const Shape& shape, const Flavors& flavors) {
    for (const FlavorIndex flavor : flavors.each()) add({.flavor = flavor, .amounts = shape.in(flavors, flavor)});
  }
  const FlavorPart* begin() const { return parts_.data(); }
  const FlavorPart* end() const { return parts_.data() + size_; }
  // The part with the largest amounts. Precondition: there is one.
  const FlavorPart& largest() const;

 private:
  void add(const FlavorPart& part) { parts_[size_++] = part; }

  std::array<FlavorPart, kMostGroups> parts_{};
  std::size_t size_ = 0;
};

// Which part of a demand counts: a job on a node out of service takes no machines from others.
enum class Counts : std::uint8_t { all, quota, machines };

class TargetBooks {
 public:
  // Nothing is taken yet.
  explicit TargetBooks(const State::Impl& state);

  const QuotaTree& quota() const { return quota_; }
  bool cover(QueueIndex queue, const Demand& demand, Counts counts) const;
  void charge(QueueIndex queue, const Demand& demand, Counts counts);

 private:
  bool has_machines(const FlavorPart& part) const;
  bool has_quota(QueueIndex queue, const FlavorPart& part) const;

  QuotaTree quota_;
  IndexedVector<FlavorIndex, ResourceVector> left_;  // of the machines, by flavor
};

}  // namespace ym::engine
