#include "papers/queueing/pool.h"

#include <limits>

namespace ym::sim::queueing {

void Pool::advance_to(Micros now_us) {
  while (running_.first_end_us() < now_us) running_.advance_to(running_.first_end_us());
  running_.advance_to(now_us);
  std::erase_if(active_, [&](JobNumber job) { return running_.ended(job); });
  for (; next_submit_us() <= now_us; ++next_) active_.push_back(next_);
}

void Pool::choose() {
  Count free = shape_.gpus();
  for (const JobNumber job : active_) {
    chosen_[job] = jobs_[job].gpus <= free;
    if (chosen_[job]) free -= jobs_[job].gpus;
  }
}

// Stops those who are not chosen, the last first, if that suffices.
bool Pool::make_room(JobNumber job) {
  Nodes nodes = running_.nodes();
  std::vector<JobNumber> stopped;
  for (auto it = active_.rbegin(); it != active_.rend(); ++it) {
    if (chosen_[*it] || !running_.runs(*it)) continue;
    nodes.give_back(running_.placement(*it));
    stopped.push_back(*it);
    if (!nodes.find(jobs_[job].gpus, service::Fit::best)) continue;
    for (const JobNumber one : stopped) running_.stop(one, costs_.of(jobs_[one].gpus, shape_.gpus_per_node));
    return true;
  }
  return false;
}

void Pool::run_first() {
  choose();
  for (const JobNumber job : active_)
    if (chosen_[job] && !running_.runs(job) && !running_.start(job) && make_room(job)) running_.start(job);
  // What finds no room leaves none for larger ones.
  Count failed = std::numeric_limits<Count>::max();
  for (const JobNumber job : active_) {
    if (running_.runs(job) || jobs_[job].gpus >= failed || running_.start(job)) continue;
    failed = jobs_[job].gpus;
    if (failed == 1) return;
  }
}

}  // namespace ym::sim::queueing
