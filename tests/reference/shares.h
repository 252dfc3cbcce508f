// Shares of borrowed quota, exactly: from the definition, computed each time.
#pragma once

#include <compare>
#include <map>
#include <string>

#include "model/tables.h"
#include "reference/quota.h"

namespace ym::reference {

// Exact, so that equal shares do not differ in the last digit.
struct Fraction {
  __int128 over = 0, under = 1;
  std::strong_ordering operator<=>(const Fraction& other) const { return over * other.under <=> other.over * under; }
  bool operator==(const Fraction& other) const { return (*this <=> other) == 0; }
};

// What a job of a queue would use in addition, of one flavor.
struct More {
  const std::string& queue;
  const std::string& flavor;
  const ResourceVector& amounts;
};

// The largest part, over all kinds, that `queue` would have borrowed of what its cohort could lend. Precondition: it
// has a parent.
Fraction dominant_share(const std::map<std::string, Queue>& queues, const Use& use, const std::string& queue,
                        const More& more);
// Divided by its weight. With weight 0 it comes after all others, if it borrows.
Fraction weighted(const Fraction& share, const Queue& queue);

}  // namespace ym::reference
