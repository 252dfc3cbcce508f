// Placement while pods come and go.
//
// The protocol: pods are drawn one by one from the list's mix and arrive by a Poisson process; each that is placed
// stays for an exponential time of mean one, whatever it asks for. The rate is such that the GPUs asked for, times how
// long, are `load_percent` of the capacity. At the start pods arrive all at once until that much was asked for. A pod
// that fits nowhere is dropped at once and does not come again. What arrives in the first `settle` lifetimes is not
// counted, what arrives in the `measure` lifetimes after them is.
//
// By Little's law the GPUs allocated on average, in % of the capacity, are the load less what was dropped of it, so
// that what is dropped is what stays idle.
//
// Who arrives when, and how long it would stay, follows from list, fleet, options and seed, and not from the policy:
// runs of two policies with one seed are a pair.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "papers/placement/cluster.h"

namespace ym::sim::placement {

// Time in parts of a mean lifetime.
inline constexpr std::int64_t kLifetime = std::int64_t{1} << 32;

struct ChurnOptions {
  std::int64_t load_percent = 100;
  std::int64_t settle = 3, measure = 5;  // lifetimes
};

struct ChurnResult {
  std::int64_t offered_milli = 0, dropped_milli = 0;  // GPUs of pods
  std::int64_t multi_arrived = 0, multi_placed = 0;   // pods with several GPUs

  // Of what was offered.
  double dropped_percent() const;
  double multi_accepted_percent() const;
};

// Precondition: an empty cluster of this fleet and list, some of whose pods ask for GPUs.
ChurnResult churn(Cluster& cluster, const PodList& list, std::int64_t capacity_milli, const ChurnOptions& options,
                  std::uint64_t seed);

// Exponential, of mean kLifetime, from comparisons of uniform numbers alone (von Neumann, "Various techniques used in
// connection with random digits", 1951): the same on every machine.
std::int64_t exponential(Random& random);

}  // namespace ym::sim::placement
