// What several simulations of workloads that are alike say together.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace ym::sim {

// `runs`: figures of the same policy, a run for each seed. Each number becomes the mean over the seeds; `ci95` has, in
// the same places, half of its 95 % confidence interval (Student's t). What is of single runs (lists, times, texts) is
// that of the first. Precondition: two runs or more.
boost::json::object over_seeds(const boost::json::array& runs);

// Of runs with the same seeds under two policies: for each number the mean of the differences `runs` - `base`, seed by
// seed, and its `ci95`. Where that does not reach to zero, one of them is better.
boost::json::object difference(const boost::json::array& runs, const boost::json::array& base);

}  // namespace ym::sim
