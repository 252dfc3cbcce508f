#include "papers/service/schedulers.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "papers/service/nodes.h"
#include "papers/service/progress.h"

namespace ym::sim::service {
namespace {

constexpr std::array<Count, 2> kQueueLimitsGpuS{3250, 7200};

// One run, from the first submission to the last end.
template <class Progress>
class Run {
 public:
  Run(std::span<const Job> jobs, Scheduler scheduler, const ClusterShape& shape)
      : jobs_(jobs), scheduler_(scheduler), shape_(shape), outcomes_(jobs.size()) {
    for (const Job& job : jobs) states_.push_back({.progress = Progress(job)});
  }

  std::vector<Outcome> run() {
    while (next_ < jobs_.size() || !active_.empty()) {
      const Time event = std::min(first_end(), next_submission());
      now_ = std::min(event, next_fall_);
      // A fall at the very instant of an end or a submission is part of that event.
      if (event <= next_fall_) {
        end_jobs();
        submit_jobs();
      }
      for (const JobNumber job : active_) account(job);
      if (scheduler_ == Scheduler::tiresias) plan_queues();
      else plan_sorted();
    }
    return std::move(outcomes_);
  }

 private:
  using Time = typename Progress::Time;
  struct State {
    Progress progress;
    bool runs = false;
    std::size_t queue = 0;
  };

  Time next_submission() const { return next_ < jobs_.size() ? Progress::submitted(jobs_[next_]) : Progress::kNoTime; }

  Time first_end() const {
    Time first = Progress::kNoTime;
    for (const JobNumber job : active_)
      if (states_[job].runs) first = std::min(first, states_[job].progress.end());
    return first;
  }

  void end_jobs() {
    const auto ends = [&](JobNumber job) { return states_[job].runs && states_[job].progress.end() == now_; };
    for (const JobNumber job : active_) {
      if (!ends(job)) continue;
      outcomes_[job].end_us = Progress::us(now_);
      std::erase(queues_[states_[job].queue], job);
    }
    std::erase_if(active_, ends);
  }

  void submit_jobs() {
    for (; next_ < jobs_.size() && Progress::submitted(jobs_[next_]) == now_; ++next_) {
      active_.push_back(next_);
      queues_[0].push_back(next_);
    }
  }

  void account(JobNumber job) {
    State& state = states_[job];
    if (!state.runs) return state.progress.wait(now_);
    state.progress.run(now_);
    if (scheduler_ != Scheduler::tiresias || state.queue >= kQueueLimitsGpuS.size()) return;
    if (!state.progress.received(kQueueLimitsGpuS[state.queue])) return;
    std::erase(queues_[state.queue], job);
    queues_[++state.queue].push_back(job);
  }

  void start(JobNumber job) {
    Outcome& outcome = outcomes_[job];
    states_[job].runs = true;
    states_[job].progress.start();
    if (outcome.starts++ == 0) outcome.first_start_us = Progress::us(now_);
  }

  // Of equals who was before the other stays before him.
  void sort_active() {
    std::vector<std::tuple<Time, std::size_t, JobNumber>> keyed;
    for (const JobNumber job : active_) {
      const Progress& progress = states_[job].progress;
      keyed.emplace_back(scheduler_ == Scheduler::srtf ? progress.left() : progress.service_left(), keyed.size(), job);
    }
    std::ranges::sort(keyed);
    for (std::size_t i = 0; i < keyed.size(); ++i) active_[i] = std::get<2>(keyed[i]);
  }

  void plan_sorted() {
    sort_active();
    Nodes nodes(shape_);
    for (const JobNumber job : active_) {
      const auto placement = nodes.find(jobs_[job].gpus, Fit::first);
      if (placement) nodes.take(*placement);
      if (placement && !states_[job].runs) start(job);
      states_[job].runs = placement.has_value();
    }
  }

  void plan_queues() {
    Count free = shape_.gpus();
    for (auto& queue : queues_) {
      std::vector<JobNumber> running, waiting;
      for (const JobNumber job : queue) {
        const bool runs = jobs_[job].gpus <= free;
        if (runs) free -= jobs_[job].gpus;
        if (runs && !states_[job].runs) start(job);
        states_[job].runs = runs;
        (runs ? running : waiting).push_back(job);
      }
      queue = std::move(running);
      queue.insert(queue.end(), waiting.begin(), waiting.end());
    }
    foresee_fall();
  }

  void foresee_fall() {
    next_fall_ = Progress::kNoTime;
    for (const JobNumber job : active_) {
      const State& state = states_[job];
      if (!state.runs || state.queue >= kQueueLimitsGpuS.size()) continue;
      next_fall_ = std::min(next_fall_, state.progress.receives(kQueueLimitsGpuS[state.queue]));
    }
  }

  std::span<const Job> jobs_;
  Scheduler scheduler_;
  ClusterShape shape_;
  std::vector<Outcome> outcomes_;
  std::vector<State> states_;
  std::vector<JobNumber> active_;  // submitted and not ended; sorted, or by submission
  std::array<std::vector<JobNumber>, kQueueLimitsGpuS.size() + 1> queues_;  // who runs is in front
  std::size_t next_ = 0;
  Time now_ = 0;
  Time next_fall_ = Progress::kNoTime;  // into another queue
};

}  // namespace

std::string_view published_name(Scheduler scheduler) {
  switch (scheduler) {
    case Scheduler::srtf: return "SRTF";
    case Scheduler::srsf: return "SRSF";
    case Scheduler::tiresias: return "Tiresias_L";
  }
  return {};
}

std::vector<Outcome> run_scheduler(std::span<const Job> jobs, Scheduler scheduler, Protocol protocol,
                                   const ClusterShape& shape) {
  if (protocol == Protocol::published) return Run<PublishedProgress>(jobs, scheduler, shape).run();
  return Run<CleanProgress>(jobs, scheduler, shape).run();
}

}  // namespace ym::sim::service
