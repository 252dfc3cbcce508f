// Summary: the figures of a simulation, of all jobs and of kinds of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/simulate/job_record.h"

namespace ym::sim {

// Of times in milliseconds. A quantile q of n values is the one at index floor(q * n) of them sorted, as the literature
// has it (99 of 100 values: the largest but none).
class Distribution {
 public:
  void add(std::int64_t value) { values_.push_back(value), sum_ += static_cast<double>(value); }
  std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }
  double mean() const { return values_.empty() ? 0 : sum_ / static_cast<double>(values_.size()); }
  // 0 of none.
  std::int64_t quantile(double q) const;

 private:
  mutable std::vector<std::int64_t> values_;
  double sum_ = 0;
};

struct JobFigures {
  Distribution waits;        // from submission to the first start; of those that began
  Distribution completions;  // from submission to the end; of those that did not leave without beginning
  std::int64_t jobs = 0, preemptions = 0, late = 0, with_deadline = 0;
  std::map<JobState, std::int64_t> ended;
  std::int64_t lost_gpu_ms = 0, used_gpu_ms = 0, cost_micros = 0;

  void add(const JobRecord& record);
};

// How alike users fare: Jain's index ("A quantitative measure of fairness and discrimination", 1984) of their mean
// slowdowns: 1 where all are alike, towards 1/n the more one of n users is made to wait alone. A slowdown is the time
// from submission to the end in parts of the time for which the job would have run undisturbed, of which ten seconds
// are the least (Feitelson's bounded slowdown); of jobs that were cut short, for which they ran.
class Fairness {
 public:
  void add(const JobRecord& record);
  double index() const;  // 1 of no users
  std::size_t users() const { return users_.size(); }
  const Distribution& slowdowns_milli() const { return slowdowns_; }

 private:
  struct User {
    double sum = 0;
    std::int64_t jobs = 0;
  };
  std::map<std::string, User> users_;
  Distribution slowdowns_;
};

struct Summary {
  JobFigures all;
  std::map<std::string, JobFigures> by_queue;
  std::map<std::int64_t, JobFigures> by_gpus;  // 0, 1 (shares too), 2, 4, 8 and so on: up to so many
  std::map<std::int32_t, JobFigures> by_priority;
  Fairness fairness;

  void add(const JobRecord& record);
};

}  // namespace ym::sim
