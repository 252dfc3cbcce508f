// Coordinate descent over a few values for each of some settings: one setting after another is given the value with
// which the cost is least, the others as they are, until a whole round changes nothing. It finds what no change of one
// setting improves, not always the best of all; for that as many tries as there are combinations would be needed.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"

namespace ym::sim {

// By setting: which of its values.
using Choice = std::vector<std::size_t>;

struct Tried {
  Choice choice;
  double cost = 0;
};

struct Search {
  std::vector<Tried> tried;  // in their order; the first is where it began; each choice once
  std::size_t best = 0;      // among them; of equal ones the earliest
  bool complete = true;      // false: there were no tries left for what it would have looked at next
};

// `values`: how many each setting has, at least one; it begins with the first of each. Tries at most `most_tries`, at
// least one. Errors: those of `cost`.
Result<Search> descend(const std::vector<std::size_t>& values, std::size_t most_tries,
                       const std::function<Result<double>(const Choice&)>& cost);

}  // namespace ym::sim
