// Combines the results of several simulations of similar workloads.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace ym::sim {

// `runs`: figures of the same policy, one run for each seed. Each number becomes the mean over the seeds. `ci95` has,
// in the same places, half of its 95 % confidence interval (Student's t). Lists, times and texts are those of the first
// run. Precondition: at least two runs.
boost::json::object over_seeds(const boost::json::array& runs);

// For runs with the same seeds under two policies: for each number the mean of the differences `runs` - `base`, seed by
// seed, and its `ci95`. If the interval does not include zero, one policy is better.
boost::json::object difference(const boost::json::array& runs, const boost::json::array& base);

}  // namespace ym::sim
