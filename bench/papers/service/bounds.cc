#include "papers/service/bounds.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <vector>

namespace ym::sim::service {
namespace {

enum class Order { remaining, size };  // who goes first: least GPU time left, least GPU time at all

// The clock of the one machine counts 1/gpus us, so that a job takes run time x GPUs ticks and all is whole.
class OneMachine {
 public:
  OneMachine(std::span<const BoundJob> jobs, Count gpus, Order order) : jobs_(jobs), gpus_(gpus), order_(order) {
    while (next_ < jobs_.size() || !waiting_.empty()) {
      arrive();
      run();
    }
  }

  double mean_flow_s() const { return flow_ / static_cast<double>(jobs_.size()) / static_cast<double>(kSecond); }
  // Mean busy time less submission.
  double mean_busy_s() const { return busy_ / static_cast<double>(jobs_.size()) / static_cast<double>(kSecond); }

 private:
  struct Waiting {
    Micros key = 0;
    JobNumber job = 0;
    Micros left = 0;
    bool operator<(const Waiting& other) const { return key != other.key ? key > other.key : job > other.job; }
  };

  Micros ticks(JobNumber job) const { return jobs_[job].run_us * jobs_[job].gpus; }
  Micros submit(JobNumber job) const { return jobs_[job].submit_us * gpus_; }
  double us(Micros clock) const { return static_cast<double>(clock) / static_cast<double>(gpus_); }

  void arrive() {
    if (waiting_.empty()) now_ = std::max(now_, submit(next_));
    for (; next_ < jobs_.size() && submit(next_) <= now_; ++next_)
      waiting_.push({.key = ticks(next_), .job = next_, .left = ticks(next_)});
  }

  void run() {
    Waiting first = waiting_.top();
    waiting_.pop();
    Micros until = now_ + first.left;
    if (next_ < jobs_.size()) until = std::min(until, submit(next_));
    const Micros ran = until - now_;
    const auto submitted_us = static_cast<double>(jobs_[first.job].submit_us);
    const double middle_us = (static_cast<double>(now_) + static_cast<double>(ran) / 2) / static_cast<double>(gpus_);
    busy_ += static_cast<double>(ran) / static_cast<double>(ticks(first.job)) * (middle_us - submitted_us);
    now_ = until;
    first.left -= ran;
    if (order_ == Order::remaining) first.key = first.left;
    if (first.left > 0) waiting_.push(first);
    else flow_ += us(now_) - submitted_us;
  }

  std::span<const BoundJob> jobs_;
  Count gpus_;
  Order order_;
  std::priority_queue<Waiting> waiting_;
  std::size_t next_ = 0;
  Micros now_ = 0;
  double flow_ = 0, busy_ = 0;  // sums over jobs, us
};

// What is submitted from some instant on takes all GPUs so long, at least.
double makespan_s(std::span<const BoundJob> jobs, Count gpus) {
  double least = 0, work = 0;
  for (std::size_t i = jobs.size(); i-- > 0;) {
    work += static_cast<double>(jobs[i].run_us) * static_cast<double>(jobs[i].gpus);
    const double shared_us = static_cast<double>(jobs[i].submit_us) + work / static_cast<double>(gpus);
    const double alone_us = static_cast<double>(jobs[i].submit_us + jobs[i].run_us);
    least = std::max({least, alone_us / kSecond, shared_us / kSecond});
  }
  return least;
}

}  // namespace

LowerBounds lower_bounds(std::span<const BoundJob> jobs, Count gpus) {
  LowerBounds bounds;
  if (jobs.empty()) return bounds;
  std::vector<BoundJob> sorted(jobs.begin(), jobs.end());
  std::ranges::sort(sorted, {}, [](const BoundJob& job) { return std::tuple(job.submit_us, job.run_us, job.gpus); });
  double run_s = 0;
  for (const BoundJob& job : sorted) run_s += seconds_of(job.run_us);
  bounds.mean_run_s = run_s / static_cast<double>(jobs.size());
  bounds.srpt_s = OneMachine(sorted, gpus, Order::remaining).mean_flow_s();
  bounds.busy_time_s = OneMachine(sorted, gpus, Order::size).mean_busy_s() + 0.5 * bounds.mean_run_s;
  bounds.mean_completion_s = std::max({bounds.mean_run_s, bounds.srpt_s, bounds.busy_time_s});
  bounds.makespan_s = makespan_s(sorted, gpus);
  return bounds;
}

LowerBounds lower_bounds(std::span<const Job> jobs, Count gpus) {
  std::vector<BoundJob> plain;
  for (const Job& job : jobs) plain.push_back({.submit_us = job.submit_us, .run_us = job.work_us, .gpus = job.gpus});
  return lower_bounds(plain, gpus);
}

}  // namespace ym::sim::service
