#include "papers/service/simulate.h"

#include <algorithm>

#include "base/assert.h"
#include "papers/service/declared.h"
#include "papers/service/moves.h"

namespace ym::sim::service {
namespace {

class ServiceSimulation {
 public:
  ServiceSimulation(std::span<const Job> jobs, std::span<const DeclaredUs> declared, const ServiceOptions& options)
      : jobs_(jobs), declared_(declared), options_(options), estimator_(options.estimates), outcomes_(jobs.size()) {
    YM_ASSERT(jobs.size() == declared.size());
    for (const Job& job : jobs) states_.push_back({.left_us = job.work_us});
  }

  std::vector<Outcome> run() {
    while (next_ < jobs_.size() || !active_.empty()) {
      now_us_ = std::max(now_us_, next_event_us());
      end_and_outlive();
      for (; next_ < jobs_.size() && jobs_[next_].submit_us <= now_us_; ++next_) {
        active_.push_back(next_);
        estimator_.submit(jobs_[next_].gpus, jobs_[next_].submit_us);
      }
      plan();
    }
    return std::move(outcomes_);
  }

 private:
  struct State {
    Micros left_us = 0;  // when it last stopped, as ran_us
    Micros ran_us = 0;
    Micros since_us = 0;       // the present run
    Micros productive_us = 0;  // from when on it makes progress
    bool runs = false;
    Placement placement{};
  };

  Micros end_us(const State& state) const { return state.productive_us + state.left_us; }
  Micros ran_us(const State& state) const { return state.ran_us + (state.runs ? now_us_ - state.since_us : 0); }

  Micros done_us(JobNumber job) const {
    const State& state = states_[job];
    const Micros before_us = jobs_[job].work_us - state.left_us;
    return before_us + (state.runs ? std::max<Micros>(0, now_us_ - state.productive_us) : 0);
  }

  bool is_estimated(JobNumber job) const { return !declared_[job] || ran_us(states_[job]) < options_.measure_us; }

  Micros estimate_changes_us(JobNumber job) const {
    const State& state = states_[job];
    const auto change_us = estimator_.next_change_us(job);
    return change_us ? state.since_us + std::max<Micros>(*change_us - state.ran_us, 0) : kNever;
  }

  // When what is known of a running job changes by itself.
  Micros next_change_us(JobNumber job) const {
    const State& state = states_[job];
    if (!is_estimated(job)) {
      const Micros goes_on_us = std::max(now_us_, state.productive_us);
      return goes_on_us + declared_outlived_in_us(*declared_[job], done_us(job));
    }
    const Micros changes_us = estimate_changes_us(job);
    return declared_[job] ? std::min(changes_us, state.since_us + options_.measure_us - state.ran_us) : changes_us;
  }

  Micros next_event_us() const {
    Micros first_us = next_ < jobs_.size() ? jobs_[next_].submit_us : kNever;
    for (const JobNumber job : active_)
      if (states_[job].runs) first_us = std::min({first_us, end_us(states_[job]), next_change_us(job)});
    return first_us;
  }

  // By number: what has outlived an octave at the instant of an end counts in the estimates if its number is smaller.
  void end_and_outlive() {
    for (const JobNumber job : active_) {
      State& state = states_[job];
      if (!state.runs) continue;
      if (end_us(state) <= now_us_) {
        stop(job);
        outcomes_[job].end_us = now_us_;
        estimator_.end(job, state.ran_us);
      } else if (is_estimated(job) && estimate_changes_us(job) <= now_us_) {
        estimator_.outlive(job, ran_us(state));
      }
    }
    std::erase_if(active_, [&](JobNumber job) { return outcomes_[job].end_us < kNever; });
  }

  double rate(JobNumber job) {
    const State& state = states_[job];
    if (!is_estimated(job)) {
      const Micros restart_us =
          state.runs ? std::max<Micros>(0, state.productive_us - now_us_) : jobs_[job].overhead_us;
      return declared_rate(*declared_[job], done_us(job), restart_us);
    }
    const double rate = estimator_.rate(job, state.ran_us);
    return state.runs && !declared_[job] ? rate * options_.hysteresis : rate;
  }

  void plan() {
    std::vector<Candidate> candidates;
    candidates.reserve(active_.size());
    for (const JobNumber job : active_) candidates.push_back({job, jobs_[job].gpus, rate(job)});
    const auto chosen = choose(candidates, {.gpus = options_.shape.gpus(), .most_tried = options_.most_tried});
    std::vector<Placed> running, waiting;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const JobNumber job = candidates[i].job;
      if (states_[job].runs && !chosen[i]) stop(job);
      if (chosen[i]) (states_[job].runs ? running : waiting).push_back({job, jobs_[job].gpus, states_[job].placement});
    }
    const MovePlan moves = place(options_.shape, std::move(running), waiting);
    for (const JobNumber job : moves.stopped) stop(job);
    for (const Placed& one : moves.starts) start(one);
  }

  void stop(JobNumber job) {
    State& state = states_[job];
    state.ran_us += now_us_ - state.since_us;
    state.left_us -= std::max<Micros>(0, now_us_ - state.productive_us);
    state.runs = false;
    state.placement.clear();
  }

  void start(const Placed& one) {
    State& state = states_[one.job];
    state.runs = true;
    state.since_us = now_us_;
    state.productive_us = now_us_ + jobs_[one.job].overhead_us;
    state.placement = one.placement;
    Outcome& outcome = outcomes_[one.job];
    if (outcome.starts++ == 0) outcome.first_start_us = now_us_;
  }

  std::span<const Job> jobs_;
  std::span<const DeclaredUs> declared_;
  const ServiceOptions& options_;
  Estimator estimator_;
  std::vector<Outcome> outcomes_;
  std::vector<State> states_;
  std::vector<JobNumber> active_;  // submitted and not ended; by number
  std::size_t next_ = 0;
  Micros now_us_ = 0;
};

}  // namespace

std::vector<Outcome> run_service(std::span<const Job> jobs, std::span<const DeclaredUs> declared,
                                 const ServiceOptions& options) {
  return ServiceSimulation(jobs, declared, options).run();
}

}  // namespace ym::sim::service
