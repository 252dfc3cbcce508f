// How alike two orders are: tau-b of Kendall ("A new measure of rank correlation", 1938; "The treatment of ties in
// ranking problems", 1945).
#pragma once

#include <span>

namespace ym::sim::fairness {

// 1: the same order, -1: the reverse; pairs that are tied in either count for neither. 0 where all of one are equal, or
// there are less than two. Precondition: as many of both.
double kendall_tau(std::span<const double> one, std::span<const double> other);

}  // namespace ym::sim::fairness
