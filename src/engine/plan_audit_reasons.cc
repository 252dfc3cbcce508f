#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

#include "engine/plan_audit.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

class ReasonsAudit {
 public:
  ReasonsAudit(const State::Impl& state, const Policy& policy, const Plan& plan)
      : state_(state), policy_(policy), plan_(plan) {}

  std::optional<std::string> run() {
    for (const Answer& answer : plan_.answers) check(answer);
    for (const Reason& reason : plan_.reasons) check(reason);
    for (const Verdict& verdict : plan_.verdicts) check(verdict);
    for (const Decision& decision : plan_.decisions) std::visit([&](const auto& one) { check(one); }, decision);
    if (policy_.verdicts) compare();
    return broken_;
  }

 private:
  void report(JobId job, std::string_view what) {
    if (!broken_) broken_ = fmt::format("job {} {}", to_string(job), what);
  }

  void check(const Answer& answer) {
    bool there = plan_.reasons.has(answer.dominant);
    for (const ReasonIndex also : answer.also) there = there && plan_.reasons.has(also);
    if (!there && !broken_) broken_ = "an answer names a reason that the plan has not";
  }

  // Each job that has lent quota is counted once, by what protects it.
  void check(const Reason& reason) {
    if (!reason.lent || broken_) return;
    const LentOut& lent = *reason.lent;
    const std::int64_t told = lent.stopping + lent.reclaim_never + lent.fenced + lent.not_lower + lent.unpreemptible +
                              lent.in_min_runtime + lent.stopped_often + lent.stopped_since + lent.unreachable +
                              lent.stoppable + lent.too_little + lent.not_first + lent.no_nodes;
    if (lent.lent.value <= 0 || told == 0 || told != lent.lent_to_jobs)
      broken_ = fmt::format("of {} jobs that have what is lent, the plan says of {} why they keep it",
                            lent.lent_to_jobs, told);
  }

  void check(const Verdict& verdict) {
    if (!told_.insert(verdict.job).second) report(verdict.job, "has two reasons why it waits");
    if (!plan_.answers.has(verdict.answer)) return report(verdict.job, "has no reason");
    const JobRow* job = state_.jobs.find(verdict.job);
    if (!job || job->waiting == Waiting::no) return report(verdict.job, "has a reason why it waits, and does not wait");
    if (policy_.explain_phase && job->waiting == Waiting::queued && job->pending != plan_.dominant(verdict).code())
      to_be_said_.insert(verdict.job);
  }

  void check(const Admission& admission) {
    if (!begins_.insert(admission.job).second) report(admission.job, "begins twice");
    if (!waits(admission.job)) report(admission.job, "begins, and does not wait for it");
  }

  void check(const Preemption& preemption) {
    if (!waits(preemption.job)) report(preemption.job, "has a place made, and does not wait for one");
    for (const Victim& victim : preemption.victims) check_stopped(victim.job, victim.attempt);
    if (preemption.kept_for <= Duration{}) report(preemption.job, "has a place made that is not kept for it");
  }

  void check(const Eviction& eviction) {
    check_stopped(eviction.job, eviction.attempt);
    if (!state_.queues.contains(eviction.queue)) report(eviction.job, "is stopped for a queue that is not there");
  }

  void check(const Resize& resize) { check_stopped(resize.job, resize.attempt); }

  void check(const NominationRelease& release) {
    if (release.why.empty()) report(release.job, "loses its place without a reason");
  }

  void check(const Deferral& deferral) {
    if (to_be_said_.erase(deferral.job) == 0) report(deferral.job, "has the same reason as before");
    if (!plan_.answers.has(deferral.answer) || plan_.dominant(deferral).code() != deferral.code)
      report(deferral.job, "has another reason than the dominant one");
  }

  // A job that is to be cancelled does not wait any more.
  bool waits(JobId id) const {
    const JobRow* job = state_.jobs.find(id);
    return job && job->waiting == Waiting::queued && !job->cancel_requested;
  }

  void check_stopped(JobId job, std::int32_t attempt) {
    const LiveAttempt* live = state_.live.find(job);
    if (!live || live->number != attempt || live->stopping) report(job, "is stopped, and does not run");
    if (!stopped_.insert(job).second) report(job, "is stopped twice");
  }

  void compare() {
    if (!to_be_said_.empty()) report(*to_be_said_.begin(), "waits for another reason than before, and is not told");
    for (const Slot slot : state_.jobs.waiting()) {
      if (state_.jobs[slot].cancel_requested) continue;
      const JobId job = state_.jobs[slot].id;
      if (begins_.contains(job) == told_.contains(job)) report(job, "neither begins nor has a reason why not, or both");
    }
  }

  const State::Impl& state_;
  const Policy& policy_;
  const Plan& plan_;
  std::set<JobId> told_, to_be_said_, begins_, stopped_;
  std::optional<std::string> broken_;
};

}  // namespace

std::optional<std::string> decision_without_reason(const State& state, const Policy& policy, const Plan& plan) {
  return ReasonsAudit(state.impl(), policy, plan).run();
}

}  // namespace ym::engine
