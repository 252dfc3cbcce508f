#include "engine/forecast/deadline_verdict.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/reserve/walltime.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

using Outcome = DeadlineVerdict::Outcome;

std::optional<Duration> time_needed(const JobRow& job) {
  if (job.time_limit) return job.time_limit;
  return job.predicted ? std::optional(job.predicted->p90) : std::nullopt;
}

// For as long as the object lives, the job is the most urgent one, and its queue lets it stop any job that a rule can
// allow.
class Foremost {
 public:
  Foremost(State::Impl& state, JobId job)
      : jobs_(state.jobs), job_(job), priority_(jobs_.at(job).priority), queue_(queue_of(state, jobs_.at(job))) {
    jobs_.set_priority(job, std::numeric_limits<std::int32_t>::max());
    if (!queue_) return;
    rules_ = *queue_;
    queue_->preempt = queue_->reclaim = PreemptRule::any;
  }
  ~Foremost() {
    jobs_.set_priority(job_, priority_);
    if (queue_) *queue_ = std::move(rules_);
  }
  Foremost(const Foremost&) = delete;
  Foremost& operator=(const Foremost&) = delete;

 private:
  static Queue* queue_of(State::Impl& state, const JobRow& row) {
    const auto found = state.queues.find(state.queue_names[state.shape_of(row).queue]);
    return found == state.queues.end() ? nullptr : &found->second;
  }

  JobTable& jobs_;
  const JobId job_;
  const std::int32_t priority_;
  Queue* const queue_;
  Queue rules_;
};

}  // namespace

std::optional<DeadlineJudge::Room> DeadlineJudge::room_if_others_yield(JobId job) {
  Policy silent = policy_;
  silent.verdicts = false;
  const Foremost foremost(state_.impl(), job);
  const Plan plan = decide(state_, silent, forecast_.as_of);
  for (const Decision& decision : plan.decisions) {
    if (const auto* admission = std::get_if<Admission>(&decision); admission && admission->job == job)
      return Room{.from = forecast_.as_of, .preempted_jobs = {}};
    const auto* preemption = std::get_if<Preemption>(&decision);
    if (!preemption || preemption->job != job) continue;
    Room room{.from = after(forecast_.as_of, preemption->kept_for), .preempted_jobs = {}};
    for (const PreemptedJob& preempted : preemption->preempted_jobs) room.preempted_jobs.push_back(preempted.job);
    return room;
  }
  return std::nullopt;
}

std::optional<DeadlineVerdict> DeadlineJudge::judge(JobId job) {
  const State::Impl& state = state_.impl();
  const JobRow* row = state.jobs.find(job);
  if (!row || !row->deadline || row->waiting != Waiting::queued || row->cancel_requested) return std::nullopt;
  DeadlineVerdict verdict{.deadline = *row->deadline, .needed = time_needed(*row), .latest_start = {}, .start = {}};
  const auto found = forecast_.starts.find(job);
  const bool is_found = found != forecast_.starts.end();
  const auto high =
      is_found ? late_end_of(forecast_, state.queue_names[state.shape_of(*row).queue], found->second) : std::nullopt;
  if (is_found) verdict.start = high.value_or(found->second.median);
  if (!verdict.needed) return verdict;
  const Instant latest = *row->deadline - *verdict.needed;
  verdict.latest_start = latest;
  const bool in_time = high && *high <= latest;
  verdict.outcome = in_time ? Outcome::feasible : Outcome::infeasible;
  if (in_time || latest < forecast_.as_of || state.nominations.find(job)) return verdict;
  // It may start between the end of the forecast and its latest start.
  if (!high && latest > forecast_.until) verdict.outcome = Outcome::unknown;
  auto room = room_if_others_yield(job);
  if (!room || room->from > latest) return verdict;
  verdict.outcome = Outcome::if_others_yield;
  verdict.start = room->from;
  verdict.yields = std::move(room->preempted_jobs);
  return verdict;
}

}  // namespace ym::engine
