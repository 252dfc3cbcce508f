#include "papers/queueing/queue.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/assert.h"
#include "papers/queueing/reservation.h"

namespace ym::sim::queueing {
namespace {

class Run {
 public:
  Run(std::span<const Job> jobs, const Turns& turns, const QueueOptions& options)
      : jobs_(jobs), turns_(turns), options_(options), running_(jobs, options.shape), turn_(jobs.size()) {
    YM_ASSERT(jobs.size() == turns.size());
  }

  std::vector<Outcome> run() {
    while (next_ < jobs_.size() || !waiting_.empty()) {
      const Micros submit_us = next_ < jobs_.size() ? jobs_[next_].submit_us : kNever;
      running_.advance_to(std::min(submit_us, running_.first_end_us()));
      for (; next_ < jobs_.size() && jobs_[next_].submit_us <= running_.now_us(); ++next_) enqueue(next_);
      change_turns();
      start_jobs();
    }
    while (!running_.ends().empty()) running_.advance_to(running_.first_end_us());
    return running_.outcomes();
  }

 private:
  const Turn& turn(JobNumber job) const { return turns_[job][turn_[job]]; }

  void enqueue(JobNumber job) {
    waiting_.emplace(turn(job).key, job);
    sizes_[jobs_[job].gpus] += 1;
    if (turn(job).until_us < kNever) changes_.emplace(turn(job).until_us, job);
  }

  void dequeue(JobNumber job) {
    waiting_.erase({turn(job).key, job});
    const auto size = sizes_.find(jobs_[job].gpus);
    if (--size->second == 0) sizes_.erase(size);
    changes_.erase({turn(job).until_us, job});
  }

  void change_turns() {
    while (!changes_.empty() && changes_.begin()->first < running_.now_us()) {
      const JobNumber job = changes_.begin()->second;
      dequeue(job);
      ++turn_[job];
      enqueue(job);
    }
  }

  // What finds no room leaves none for larger ones: who has seen one fail need not look for those.
  void start_jobs() {
    std::optional<Reservation> reservation;
    Count failed = std::numeric_limits<Count>::max();
    for (auto it = waiting_.begin(); it != waiting_.end() && sizes_.begin()->first < failed;) {
      const JobNumber job = (it++)->second;
      if (jobs_[job].gpus >= failed || !may_start(job, reservation)) continue;
      if (running_.start(job)) {
        dequeue(job);
        continue;
      }
      if (options_.scan == Scan::strict) return;
      failed = jobs_[job].gpus;
      if (options_.scan == Scan::backfilling && !reservation) reservation.emplace(running_, failed);
    }
  }

  bool may_start(JobNumber job, std::optional<Reservation>& reservation) const {
    if (!reservation) return true;
    const auto placement = running_.nodes().find(jobs_[job].gpus, service::Fit::best);
    return placement && reservation->admits(*placement, running_.now_us() + jobs_[job].work_us);
  }

  std::span<const Job> jobs_;
  const Turns& turns_;
  QueueOptions options_;
  RunningJobs running_;
  std::vector<std::size_t> turn_;                   // by job, which of its turns holds
  std::set<std::pair<Micros, JobNumber>> waiting_;  // by key
  std::map<Count, Count> sizes_;                    // of those that wait, by GPUs
  std::set<std::pair<Micros, JobNumber>> changes_;  // when turns end
  JobNumber next_ = 0;
};

}  // namespace

std::vector<Outcome> run_queue(std::span<const Job> jobs, const Turns& turns, const QueueOptions& options) {
  return Run(jobs, turns, options).run();
}

}  // namespace ym::sim::queueing
