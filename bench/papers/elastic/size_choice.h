// Which of its options each job gets when all share so many GPUs: those whose values sum up to most.
//
// Part of the elastic policy's core: a pure function of its arguments. The multiple-choice knapsack, by dynamic
// programming over GPUs (Kellerer, Pferschy and Pisinger, "Knapsack Problems", 2004, chapter 11): jobs x GPUs x options
// additions.
#pragma once

#include <span>
#include <vector>

#include "papers/elastic/layout.h"

namespace ym::sim::elastic {

struct SizeOption {
  Count gpus = 0;
  double value = 0;
};

// GPUs by job; 0 is always an option, of value 0. Values that differ by 1e-12 at most are equal, and then a job gets
// the option that comes first.
std::vector<Count> choose_sizes(std::span<const std::vector<SizeOption>> jobs, Count gpus);

}  // namespace ym::sim::elastic
