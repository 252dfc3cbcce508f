// Coordinate descent over a few values for each of several settings: one setting after another gets the value with the
// least cost, while the others stay, until a whole round changes nothing. It finds a choice that no change of one
// setting improves, not always the best of all. The best of all would need a try for each combination.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"

namespace ym::sim {

// For each setting, the index of its value.
using Choice = std::vector<std::size_t>;

struct Tried {
  Choice choice;
  double cost = 0;
};

struct Search {
  std::vector<Tried> tried;  // in order; the first is the beginning; each choice once
  std::size_t best = 0;      // index of the best; of equal ones the earliest
  bool complete = true;      // false: the tries were used up
};

// `values`: the number of values of each setting, at least one. It begins with the first value of each. Makes at most
// `most_tries` tries, at least one. Errors: those of `cost`.
Result<Search> descend(const std::vector<std::size_t>& values, std::size_t most_tries,
                       const std::function<Result<double>(const Choice&)>& cost);

}  // namespace ym::sim
