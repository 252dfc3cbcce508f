#include "papers/fairness/simulate.h"

#include <algorithm>

#include "base/assert.h"
#include "papers/fairness/run_times.h"
#include "papers/service/declared.h"

namespace ym::sim::fairness {
namespace {

class Run {
 public:
  Run(std::span<const Job> jobs, std::span<const DeclaredUs> declared, Policy& policy, const RoundOptions& options)
      : jobs_(jobs),
        declared_(declared),
        policy_(policy),
        options_(options),
        states_(jobs.size()),
        outcomes_(jobs.size()) {
    YM_ASSERT(jobs.size() == declared.size());
  }

  std::vector<Outcome> run() {
    while (next_ < jobs_.size() || !present_.empty()) {
      submit();
      run_round();
      end();
      now_us_ += options_.round_us;
    }
    return std::move(outcomes_);
  }

 private:
  struct State {
    Micros done_us = 0;
    bool ran_before = false;
  };

  void submit() {
    for (; next_ < jobs_.size() && jobs_[next_].submit_us <= now_us_; ++next_) present_.push_back(next_);
  }

  void end() {
    const auto ended = [&](JobNumber job) { return outcomes_[job].end_us < service::kNever; };
    for (const JobNumber job : present_)
      if (ended(job)) run_times_.end(jobs_[job].work_us);
    std::erase_if(present_, ended);
  }

  Micros left_us(JobNumber job) const {
    const Micros done_us = states_[job].done_us;
    if (!declared_[job]) return std::max<Micros>(1, run_times_.left_us(done_us, options_.round_us));
    return std::max<Micros>(1, static_cast<Micros>(service::declared_left_us(*declared_[job], done_us)));
  }

  std::vector<Present> view() const {
    std::vector<Present> view;
    for (const JobNumber job : present_) {
      const Job& one = jobs_[job];
      view.push_back({.job = job,
                      .gpus = one.gpus,
                      .submit_us = one.submit_us,
                      .done_us = states_[job].done_us,
                      .left_us = left_us(job),
                      .guessed = !declared_[job],
                      .steps_per_s = static_cast<double>(one.iterations) / seconds_of(one.work_us),
                      .ran_before = states_[job].ran_before});
    }
    return view;
  }

  void run_round() {
    if (present_.empty()) return;
    const std::vector<Present> jobs = view();
    const Order order = policy_.order({.now_us = now_us_,
                                       .length_us = options_.round_us,
                                       .gpus = options_.gpus,
                                       .submitted = static_cast<Count>(next_),
                                       .jobs = jobs});
    Count free = options_.gpus;
    for (const JobNumber job : present_) states_[job].ran_before = false;
    for (const std::size_t place : order) {
      const Present& one = jobs[place];
      if (one.gpus > free || states_[one.job].ran_before) continue;
      free -= one.gpus;
      run_job(one.job, one.ran_before);
    }
  }

  void run_job(JobNumber job, bool goes_on) {
    State& state = states_[job];
    Outcome& outcome = outcomes_[job];
    state.ran_before = true;
    if (!goes_on && outcome.starts++ == 0) outcome.first_start_us = now_us_;
    const Micros lost_us = goes_on ? 0 : options_.restart_us;
    const Micros left_us = jobs_[job].work_us - state.done_us;
    if (lost_us + left_us <= options_.round_us) outcome.end_us = now_us_ + lost_us + left_us;
    state.done_us += std::min(left_us, options_.round_us - lost_us);
  }

  std::span<const Job> jobs_;
  std::span<const DeclaredUs> declared_;
  Policy& policy_;
  RoundOptions options_;
  RunTimes run_times_;
  std::vector<State> states_;
  std::vector<Outcome> outcomes_;
  std::vector<JobNumber> present_;  // by number
  std::size_t next_ = 0;
  Micros now_us_ = 0;
};

}  // namespace

std::vector<Outcome> run_rounds(std::span<const Job> jobs, std::span<const DeclaredUs> declared, Policy& policy,
                                const RoundOptions& options) {
  return Run(jobs, declared, policy, options).run();
}

}  // namespace ym::sim::fairness
