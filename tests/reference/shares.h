// Shares of what is borrowed, exactly: from the definition, each time anew.
#pragma once

#include <compare>
#include <map>
#include <string>

#include "model/tables.h"
#include "reference/quota.h"

namespace ym::reference {

// Shares that are equal must not differ in a last digit.
struct Fraction {
  __int128 over = 0, under = 1;
  std::strong_ordering operator<=>(const Fraction& other) const { return over * other.under <=> other.over * under; }
  bool operator==(const Fraction& other) const { return (*this <=> other) == 0; }
};

// What a job of a queue would use more, of one flavor.
struct More {
  const std::string& queue;
  const std::string& flavor;
  const ResourceVector& amounts;
};

// The largest part of what its cohort could lend that `queue` would have borrowed, of any kind. Precondition: it has a
// parent.
Fraction dominant_share(const std::map<std::string, Queue>& queues, const Use& use, const std::string& queue,
                        const More& more);
// Divided by its weight; without any weight it comes after all others, if it borrows.
Fraction weighted(const Fraction& share, const Queue& queue);

}  // namespace ym::reference
