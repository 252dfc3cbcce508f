// How many deadlines nobody can keep: a proven floor.
//
// In any stretch of time all GPUs together do no more than their number times its length. Jobs that are submitted in it
// and due in it do all of their work in it, so that if theirs is more, some of them are late; fewest when the smallest
// are on time. Stretches that do not overlap have no job in common, so that their floors add up: the best such set of
// stretches is found by dynamic programming over a grid of times. That GPUs cannot be had in parts, that a job has no
// use for more than it asks for, and all other jobs are not taken into account.
#pragma once

#include <span>

#include "papers/queueing/deadlines.h"
#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

struct DeadlineBoundOptions {
  Count gpus = 960;
  Micros grid_us = 4 * 3600 * kSecond;  // any is valid; a finer one finds no less where it divides this
};

// Of the strict jobs so many miss their deadlines, at least.
Count least_missed(std::span<const Job> jobs, std::span<const Deadlines> deadlines,
                   const DeadlineBoundOptions& options = {});

}  // namespace ym::sim::queueing
