// Who waits and who runs where jobs are stopped for others: given an order of them all, who runs from now on.
//
// As many as there are GPUs for are chosen in that order, passing over what does not fit, by count alone. Those of them
// who find no nodes have others stopped who are not chosen, the last of these first, if that helps; what is free then
// goes to whoever finds room.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "papers/queueing/running_jobs.h"

namespace ym::sim::queueing {

// What a stop costs, by GPUs.
struct StopCosts {
  Micros one_gpu_us = 7 * kSecond;
  Micros one_node_us = 30 * kSecond;
  Micros more_us = 60 * kSecond;

  Micros of(Count gpus, Count gpus_per_node) const {
    return gpus == 1 ? one_gpu_us : gpus <= gpus_per_node ? one_node_us : more_us;
  }
};

class Pool {
 public:
  // The jobs outlive it.
  Pool(std::span<const Job> jobs, const ClusterShape& shape, const StopCosts& costs)
      : jobs_(jobs), shape_(shape), costs_(costs), running_(jobs, shape), chosen_(jobs.size()) {}

  bool done() const { return next_ == jobs_.size() && active_.empty(); }
  // The next submission or end.
  Micros next_event_us() const { return std::min(next_submit_us(), running_.first_end_us()); }
  // Precondition: not before now.
  void advance_to(Micros now_us);

  // `key_of(job)`: the least goes first, of equal ones the smaller number.
  template <class KeyOf>
  void plan(KeyOf key_of) {
    keyed_.clear();
    for (const JobNumber job : active_) keyed_.emplace_back(key_of(job), job);
    std::ranges::sort(keyed_);
    for (std::size_t i = 0; i < keyed_.size(); ++i) active_[i] = keyed_[i].second;
    run_first();
  }

  Micros now_us() const { return running_.now_us(); }
  const RunningJobs& running() const { return running_; }
  const std::vector<JobNumber>& active() const { return active_; }  // wait or run

 private:
  Micros next_submit_us() const { return next_ < jobs_.size() ? jobs_[next_].submit_us : kNever; }
  void choose();
  bool make_room(JobNumber job);
  void run_first();

  std::span<const Job> jobs_;
  ClusterShape shape_;
  StopCosts costs_;
  RunningJobs running_;
  std::vector<bool> chosen_;
  std::vector<JobNumber> active_;
  std::vector<std::pair<Micros, JobNumber>> keyed_;
  JobNumber next_ = 0;
};

}  // namespace ym::sim::queueing
