#include "papers/fairness/rho.h"

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace ym::sim::fairness {
namespace {

template <class Contention>
Rhos rhos(std::span<const Job> jobs, std::span<const Outcome> outcomes, Contention contention) {
  Rhos rhos;
  Count unfair = 0;
  for (JobNumber i = 0; i < jobs.size(); ++i) {
    YM_ASSERT(outcomes[i].end_us < service::kNever);
    const double fair_s = seconds_of(jobs[i].work_us) * std::max(1.0, contention(i));
    const double rho = seconds_of(outcomes[i].end_us - jobs[i].submit_us) / fair_s;
    rhos.worst = std::max(rhos.worst, rho);
    if (rho > kUnfairAbove) ++unfair;
  }
  if (!jobs.empty()) rhos.unfair_share = static_cast<double>(unfair) / static_cast<double>(jobs.size());
  return rhos;
}

double trace_contention(std::span<const Job> jobs, Count gpus) {
  return std::max(1.0, static_cast<double>(jobs.size()) / static_cast<double>(gpus));
}

// Whether all end in time on the one machine. Work and time in GPU us.
class DueFirst {
 public:
  DueFirst(std::span<const Job> jobs, Count gpus, double times_run) : jobs_(jobs), gpus_(gpus), times_run_(times_run) {}

  bool in_time() {
    while (next_ < jobs_.size() || !waiting_.empty()) {
      if (waiting_.empty()) now_ = std::max(now_, submit(next_));
      for (; next_ < jobs_.size() && submit(next_) <= now_; ++next_)
        waiting_.push({due(jobs_[next_]), next_, jobs_[next_].work_us * jobs_[next_].gpus});
      Waiting first = waiting_.top();
      waiting_.pop();
      const Micros ran = next_ < jobs_.size() ? std::min(first.left, submit(next_) - now_) : first.left;
      now_ += ran;
      first.left -= ran;
      if (first.left > 0) waiting_.push(first);
      else if (static_cast<double>(now_) > first.due) return false;
    }
    return true;
  }

 private:
  struct Waiting {
    double due = 0;
    JobNumber job = 0;
    Micros left = 0;
    bool operator<(const Waiting& other) const { return due != other.due ? due > other.due : job > other.job; }
  };

  Micros submit(JobNumber job) const { return jobs_[job].submit_us * gpus_; }
  double due(const Job& job) const {
    const double due_us = static_cast<double>(job.submit_us) + times_run_ * static_cast<double>(job.work_us);
    return due_us * static_cast<double>(gpus_);
  }

  std::span<const Job> jobs_;
  Count gpus_;
  double times_run_;
  std::priority_queue<Waiting> waiting_;
  std::size_t next_ = 0;
  Micros now_ = 0;
};

}  // namespace

Rhos rhos_by_trace(std::span<const Job> jobs, std::span<const Outcome> outcomes, Count gpus) {
  return rhos(jobs, outcomes, [&](JobNumber) { return trace_contention(jobs, gpus); });
}

Rhos rhos_by_presence(std::span<const Job> jobs, std::span<const Outcome> outcomes, Count gpus) {
  return rhos(jobs, outcomes, [&](JobNumber i) {
    const Micros from_us = jobs[i].submit_us, to_us = outcomes[i].end_us;
    Micros together_us = 0;
    for (JobNumber j = 0; j < jobs.size(); ++j)
      together_us += std::max<Micros>(0, std::min(to_us, outcomes[j].end_us) - std::max(from_us, jobs[j].submit_us));
    return static_cast<double>(together_us) / static_cast<double>(to_us - from_us) / static_cast<double>(gpus);
  });
}

double least_worst_rho(std::span<const Job> jobs, Count gpus) {
  const double contention = trace_contention(jobs, gpus);
  int below = static_cast<int>(1000 / contention) - 1, enough = 1000;  // alone, a job takes its run time
  while (!DueFirst(jobs, gpus, contention * enough / 1000).in_time()) below = std::exchange(enough, 2 * enough);
  while (enough - below > 1) {
    const int middle = (below + enough) / 2;
    (DueFirst(jobs, gpus, contention * middle / 1000).in_time() ? enough : below) = middle;
  }
  return std::max(below / 1000.0, 1 / contention);
}

}  // namespace ym::sim::fairness
