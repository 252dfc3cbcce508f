// Summary: the figures of a simulation, for all jobs and for groups of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/simulate/job_record.h"

namespace ym::sim {

// A distribution, for example of times in milliseconds. The quantile q of n values is the sorted value at index floor(q
// * n), as in the literature (q = 0.99 of 100 values: the largest).
class Distribution {
 public:
  void add(std::int64_t value) { values_.push_back(value), sum_ += static_cast<double>(value); }
  std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }
  double mean() const { return values_.empty() ? 0 : sum_ / static_cast<double>(values_.size()); }
  // 0 if there are no values.
  std::int64_t quantile(double q) const;

 private:
  mutable std::vector<std::int64_t> values_;
  double sum_ = 0;
};

struct JobFigures {
  Distribution waits;        // from the submit to the first start; of jobs that started
  Distribution completions;  // from the submit to the end; not of jobs that left without a start
  std::int64_t jobs = 0, preemptions = 0, late = 0, with_deadline = 0;
  std::map<JobState, std::int64_t> ended;
  std::int64_t lost_gpu_ms = 0, used_gpu_ms = 0, cost_micros = 0;

  void add(const JobRecord& record);
};

// How equally users fare: Jain's index ("A quantitative measure of fairness and discrimination", 1984) of their mean
// slowdowns. It is 1 if all are equal, and goes towards 1/n if only one of n users waits. A slowdown is the time from
// the submit to the end, divided by the job's run time without interruptions, at least ten seconds (Feitelson's bounded
// slowdown). For jobs that were cut short, it is divided by the time that they ran.
class Fairness {
 public:
  void add(const JobRecord& record);
  double index() const;  // 1 if there are no users
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
  std::map<std::int64_t, JobFigures> by_gpus;  // upper limits: 0, 1 (with shares), 2, 4, 8 and so on
  std::map<std::int32_t, JobFigures> by_priority;
  Fairness fairness;

  void add(const JobRecord& record);
};

}  // namespace ym::sim
